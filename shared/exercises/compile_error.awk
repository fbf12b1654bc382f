# The first error of a compilation, in one or two lines.
/error:|cpucc:|not supported|undefined reference/ && !told {
    line = $0
    sub(/^.*\/exercise\.[^\/]*\//, "", line)
    where = line
    if (match(line, /^[^:]*:[0-9]+:/)) {
        file = line; sub(/:.*/, "", file)
        number = line; sub(/^[^:]*:/, "", number); sub(/:.*/, "", number)
        text = line; sub(/^[^:]*:[0-9]+:([0-9]+:)? */, "", text); sub(/^(fatal )?error: */, "", text)
        sub(/.*\//, "", file)
        if (file == name ".cu")
            print "it does not compile: line " number ": " text
        else
            print "it does not compile: " file ", line " number ": " text
    } else
        print "it does not compile: " line
    told = 1
}
/error:/ { errors++ }
{ last = $0 }
END {
    if (!told)
        print "it does not compile" (last == "" ? "" : ": " last)
    else if (errors > 1)
        print "(" errors " errors in all; fix the first one first)"
}
