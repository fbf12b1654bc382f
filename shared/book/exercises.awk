# The page of a step's exercises: what each asks for, its code, and its hints one fold each. Reads
# task.cu and hints.md of every exercise, in this order; appends to the search index.
#
#   awk -v room=steps/NN_word/exercises -v pages=PAGES -v search=SEARCH -f text.awk -f frame.awk -f exercises.awk \
#       FILE...
function end_code() {
    if (open == "code")
        print "</code></pre></details>"
    else if (open == "hint")
        print "</p></details>"
    open = ""
}
function next_hint() {
    end_code()
    hints++
    print "<details class=plain><summary>Hint " hints "</summary><p>"
    open = "hint"
}
BEGIN {
    read_pages(pages)
    html = room ".html"
    step = room
    sub(/\/exercises$/, "", step)
    lesson = step "/README.md"
    frame_begin(room, 0)
    print "<h1>" escaped(title_of[room]) "</h1>"
    print "<p>To <a href=\"" up(html) html_of[lesson] "\">" escaped(title_of[lesson]) "</a>. Each is a " \
        "folder: solve <code>answer.cu</code> in it, a copy of <code>task.cu</code> that the commands " \
        "make. They are checked on the CPU, by what is in the output and by the traffic counts.</p>"
    print "<pre class=\"code sh\" tabindex=0><code>cd " escaped(step) "\nmake next        " \
        coloured("c", "# check the next one: what is still missing") "\nmake exercises   " \
        coloured("c", "# what is solved") "</code></pre>"
}
FNR == 1 {
    end_code()
    if (FILENAME ~ /task[.]cu$/)
        end_exercise()
    n = split(FILENAME, part, "/")
    is_task = part[n] == "task.cu"
    name = part[n - 1]
    hints = 0
    if (is_task) {
        print "<h2 id=\"" escaped(name) "\">" escaped(name) " <a class=here href=\"#" escaped(name) \
            "\" aria-label=\"Link to this exercise\">#</a></h2>"
        in_head = 1
        in_comment = 0
        paragraph = 0
    } else
        next_hint()
}
is_task && in_head {
    if (/\*\//) {
        in_head = 0
        if (paragraph)
            print (paragraph > 1 ? "</code></pre>" : "</p>")
        print "<details class=plain><summary>The code</summary><pre class=\"code lines\" tabindex=0><code>"
        open = "code"
        next
    }
    sub(/^\/\*/, "")
    sub(/^ \* ?/, "")
    text = escaped($0)
    kind = text ~ /^ *$/ ? 0 : text ~ /^    / ? 2 : 1
    if (kind != paragraph && !(paragraph == 2 && kind == 0)) {
        if (paragraph)
            print (paragraph > 1 ? "</code></pre>" : "</p>")
        if (kind)
            printf "%s", (kind > 1 ? "<pre class=\"code sh\" tabindex=0><code>" : "<p>")
        paragraph = kind
    }
    if (index(text, name ": ") == 1) {
        text = substr(text, length(name) + 3)
        text = toupper(substr(text, 1, 1)) substr(text, 2)
    }
    said = said " " $0
    if (kind)
        print kind == 2 ? substr(text, 5) : text
    next
}
is_task { print "<span id=\"" escaped(name) "-" FNR "\">" colour("cu", escaped($0)) "</span>"; next }
/^---$/ { next_hint(); next }
{
    text = escaped($0)
    while (match(text, /`[^`]*`/))
        text = substr(text, 1, RSTART - 1) "<code>" substr(text, RSTART + 1, RLENGTH - 2) "</code>" \
            substr(text, RSTART + RLENGTH)
    print text
}
function end_exercise() {
    if (name != "" && said != "")
        print "[" (number_of[room] - 1) "," json(name) "," json(name) "," json(said) ",0]," >>search
    said = ""
}
END {
    end_code()
    end_exercise()
    frame_end(room)
}
