# Stores and loads by every form that a compiler has: each is counted, or refused.
forms() { # EXPRESSION with DST and VALUE
    exercise | awk -v form="$1" '
        /out\[\(size_t\)col \* rows \+ row\] = / {
            value = $0
            sub(/.*\] = /, "", value)
            sub(/;$/, "", value)
            gsub(/DST/, "\\&out[(size_t)col * rows + row]", form)
            gsub(/VALUE/, value, form)
            print "    {" form "}"
            next
        }
        { print }'
}
counted='touch 32 sectors|atomic operations reach|cannot use|cannot have|no instruction of a GPU|does not compile'
refused "$counted" < <(forms '__builtin_nontemporal_store(VALUE, DST);')
refused "$counted" < <(forms 'float v = VALUE; __builtin_memcpy_inline(DST, &v, 4);')
refused "$counted" < <(forms 'float v = VALUE; __atomic_store(DST, &v, 0);')
refused "$counted" < <(forms 'struct S { float v; }; *(S *)(DST) = S{VALUE};')
refused "$counted" < <(forms 'struct B { unsigned v : 31, w : 1; }; unsigned v = __float_as_uint(VALUE); B *b = (B *)(DST); b->v = v; b->w = v >> 31;')
