# What the compiler could read of itself, and what never ends.
for file in /proc/self/environ /proc/self/maps /dev/stdin /proc/self/fd/0; do
    refused 'only headers of the workbook|does not compile' <<<"#include \"$file\"
$(solution)"
done
refused 'only headers of the workbook|does not compile|compiling took|too much' <<<"#include \"/dev/zero\"
$(solution)"
refused 'does not compile|only headers|touch 32 sectors' <<<"$(exercise | sed '/^#include/a\
static const char text[] = {\
#embed "/etc/passwd"\
};')"
