# Templates without end.
export EXERCISE_SECONDS=1
refused 'it does not compile|compiling took' <<<"$(above 'template <int N> struct Deep { enum { n = Deep<N + 1>::n }; }; int deep = Deep<0>::n;')"
