# Sourced by run_all.sh: installs what is missing, through apt-get, or says what to install.
# shellcheck shell=bash disable=SC2154

# Commands that runs and tests need, as "command:Debian package".
needs=(g++:g++ make:make cmake:cmake gnuplot:gnuplot-nox objcopy:binutils flock:util-linux git:git
    python3:python3)
# Without these, some tests check less and say so.
tests_want=(shellcheck:shellcheck clang-format:clang-format xmllint:libxml2-utils
    chromium:chromium firefox-esr:firefox-esr)
book_needs=(python3 python3-markdown-it python3-pygments)

as_root=() # sudo, where root is needed
updated=no # have apt-get's lists been updated?

# apt COMMAND...: runs apt-get, and shows the end of its output only if it fails.
apt() {
    local said
    said=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" 2>&1) && return
    tail -n 5 <<<"$said"
    return 1
}

# apt_install PACKAGE...: installs the packages that apt-get knows, and prints the names of the others.
apt_install() {
    local package known=() unknown=()
    [ $updated = yes ] || { echo "updating apt-get's lists of packages" && apt update; }
    updated=yes
    for package in "$@"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            known+=("$package")
        else
            unknown+=("$package")
        fi
    done
    [ ${#known[@]} -eq 0 ] || apt install -y --no-install-recommends "${known[@]}" ||
        unknown+=("${known[@]}")
    [ ${#unknown[@]} -eq 0 ] ||
        echo "apt-get could not install: ${unknown[*]}; please install them yourself"
}

# missing_of COMMAND:PACKAGE...: prints the packages whose command is not here, one per line.
missing_of() {
    local need
    for need in "$@"; do
        have "${need%%:*}" || echo "${need#*:}"
    done
}

# in_library_folders PATTERN: succeeds if a file in the compilers' library folders matches PATTERN.
in_library_folders() {
    compgen -G "/usr/lib/$1" >/dev/null || compgen -G "/usr/lib/*/$1" >/dev/null ||
        compgen -G "/usr/lib64/$1" >/dev/null || compgen -G "/usr/local/lib/$1" >/dev/null
}

clang_compiles() {
    "$1" --driver-mode=g++ -x c++ -include utility -fsyntax-only /dev/null 2>/dev/null
}

install_missing() {
    local missing=() clang selected fuzzer
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
    mapfile -t missing < <(missing_of "${needs[@]}")
    clang=$(shared/cpucc/find_clang.sh) || missing+=(clang)
    in_library_folders 'libboost_context.*' || missing+=(libboost-context-dev)
    if ! have apt-get || { [ ${#as_root[@]} -gt 0 ] && ! have sudo; }; then
        [ ${#missing[@]} -eq 0 ] ||
            echo "no apt-get here, or no way to run it as root; please install: ${missing[*]}"
        return
    fi
    if [ ${#missing[@]} -gt 0 ]; then
        echo "installing: ${missing[*]}"
        apt_install "${missing[@]}"
    fi

    # clang uses the newest folder of gcc, which may lack the C++ headers.
    if clang=$(shared/cpucc/find_clang.sh) && ! clang_compiles "$clang"; then
        selected=$("$clang" -v 2>&1 | sed -n 's|^Selected GCC installation: .*/\([0-9]*\).*|\1|p')
        echo "installing: libstdc++-$selected-dev, which $clang looks for"
        apt_install "libstdc++-$selected-dev"
    fi
    if [ "$test" = yes ]; then
        mapfile -t missing < <(missing_of "${tests_want[@]}")
        fuzzer=$("$clang" -print-runtime-dir 2>/dev/null)/libclang_rt.fuzzer
        compgen -G "$fuzzer*.a" >/dev/null ||
            compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer*.a' >/dev/null ||
            missing+=(libclang-rt-dev)
        if [ ${#missing[@]} -gt 0 ]; then
            echo "installing for the tests: ${missing[*]}"
            apt_install "${missing[@]}"
        fi
        [ "$quick" = yes ] || install_playwright
    fi
    if [ "$test" = yes ] || [ "$book" = yes ]; then install_for_book; fi
    [ "$book" = yes ] || have nvcc || install_nvcc
}

# Installs what the book needs, including a compiler for its layout bench, which runs as WebAssembly.
install_for_book() {
    local missing=() version
    shared/book/python.sh >/dev/null || missing+=("${book_needs[@]}")
    if ! shared/book/bench/compiler.sh >/dev/null 2>&1; then
        version=$(clang -dumpversion 2>/dev/null | sed 's/[.].*//')
        missing+=(clang lld wasi-libc)
        # The package of the compiler's run time has the compiler's version in its name.
        missing+=("libclang-rt-${version:+$version-}dev-wasm32")
    fi
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing for the book: ${missing[*]}"
    apt_install "${missing[@]}"
}

# Installs what drives Chromium in the tests of the book into an environment of its own; the browser is apt's.
install_playwright() {
    local said packages=(playwright axe-playwright-python)
    ! shared/book/python.sh playwright axe_playwright_python >/dev/null || return 0
    echo "installing for the tests into build/python, through pip, 53 MB: ${packages[*]}"
    python3 -c 'import ensurepip' 2>/dev/null || apt_install python3-venv
    said=$({ python3 -m venv build/python && build/python/bin/pip install -q "${packages[@]}"; } 2>&1) && return
    tail -n 3 <<<"$said"
    echo "pip could not install: ${packages[*]}; without them Chromium does not test the book's pages"
}

# Installs the distribution's nvcc if it is new enough for all steps.
install_nvcc() {
    local packaged
    packaged=$(apt-cache policy nvidia-cuda-toolkit 2>/dev/null | sed -n 's/.*Candidate: //p')
    if has_device && dpkg --compare-versions "$packaged" ge 12.5 2>/dev/null; then
        echo "installing: nvidia-cuda-toolkit"
        apt_install nvidia-cuda-toolkit
    else
        echo "nvcc is not installed; CUDA 12.5 or newer: https://developer.nvidia.com/cuda-downloads"
    fi
}
