# Functions for the awk scripts of the book: paths, text and code as HTML. Read before the script.

# folder(PATH): the folder it lies in, with a slash at its end, "" for the top level.
function folder(path) {
    return match(path, /.*\//) ? substr(path, 1, RLENGTH) : ""
}

# normal(PATH): without `.` and `..`; "" if it leads out of the tree.
function normal(path,    n, i, part, kept, out) {
    n = split(path, part, "/")
    for (i = 1; i <= n; i++)
        if (part[i] == "..") {
            if (kept-- <= 0)
                return ""
        } else if (part[i] != "." && part[i] != "")
            out_part[++kept] = part[i]
    for (i = 1; i <= kept; i++)
        out = out (i > 1 ? "/" : "") out_part[i]
    return out
}

# up(PATH): from that file's folder to the top: "../../".
function up(path,    out) {
    while (match(path, /\//)) {
        path = substr(path, RSTART + 1)
        out = out "../"
    }
    return out
}

function escaped(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

# plain(HTML): its text, without tags.
function plain(html) {
    gsub(/<[^>]*>/, "", html)
    gsub(/&lt;/, "<", html)
    gsub(/&gt;/, ">", html)
    gsub(/&quot;/, "\"", html)
    gsub(/&amp;/, "\\&", html)
    return html
}

# json(TEXT): as a JavaScript string.
function json(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/[\001-\037]/, " ", text)
    gsub(/<\//, "<\\/", text)
    return "\"" text "\""
}

# slug(TEXT): the anchor that GitHub gives a heading.
function slug(text) {
    text = tolower(text)
    gsub(/ /, "-", text)
    gsub(/[^a-z0-9_\200-\377-]/, "", text)
    return text
}

# ---- code in colours: the lines of one listing in turn, escaped already ----

BEGIN {
    n = split("alignas asm auto bool break case catch char class const constexpr continue default " \
        "delete do double else enum extern false float for goto if inline int long namespace new " \
        "nullptr operator private public register return short signed sizeof static struct switch " \
        "template this true typedef typename union unsigned using void volatile while " \
        "float2 float4 int2 int4 uint2 uint4 uint32_t uint64_t int32_t int64_t size_t dim3 " \
        "__nv_bfloat16 cudaError_t cudaStream_t", word, " ")
    for (i = 1; i <= n; i++)
        keyword[word[i]] = "k"
    n = split("threadIdx blockIdx blockDim gridDim warpSize __global__ __device__ __host__ " \
        "__shared__ __constant__ __restrict__ __launch_bounds__ __syncthreads __syncwarp " \
        "__shfl_sync __shfl_xor_sync __forceinline__ __align__ __grid_constant__", word, " ")
    for (i = 1; i <= n; i++)
        keyword[word[i]] = "b"
}

function coloured(class, text) { return "<span class=" class ">" text "</span>" }

# colour_c(LINE): C and CUDA. in_comment tells whether the line begins in a comment.
function colour_c(line,    out, at, piece) {
    if (!in_comment && line ~ /^[ \t]*#/ && line !~ /\/[\/*]/)
        return coloured("p", line)
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            piece = at ? substr(line, 1, at + 1) : line
            in_comment = !at
            out = out coloured("c", piece)
        } else if (match(line, /^[A-Za-z_][A-Za-z_0-9]*/)) {
            piece = substr(line, 1, RLENGTH)
            out = out (piece in keyword ? coloured(keyword[piece], piece) : piece)
        } else if (match(line, /^\/\/.*/)) {
            piece = substr(line, 1, RLENGTH)
            out = out coloured("c", piece)
        } else if (substr(line, 1, 2) == "/*") {
            in_comment = 1
            at = index(substr(line, 3), "*/")
            piece = at ? substr(line, 1, at + 3) : line
            in_comment = !at
            out = out coloured("c", piece)
        } else if (substr(line, 1, 6) == "&quot;") {
            at = index(substr(line, 7), "&quot;")
            piece = at ? substr(line, 1, at + 11) : line
            out = out coloured("s", piece)
        } else if (match(line, /^&[a-z]+;/)) {
            piece = substr(line, 1, RLENGTH)
            out = out piece
        } else if (match(line, /^[0-9][0-9a-zA-Z.]*/)) {
            piece = substr(line, 1, RLENGTH)
            out = out coloured("n", piece)
        } else {
            match(line, /^[^A-Za-z_0-9&\/]+/) || RLENGTH = 1
            piece = substr(line, 1, RLENGTH)
            out = out piece
        }
        line = substr(line, length(piece) + 1)
    }
    return out
}

# colour_shell(LINE, PROMPT): a command; with PROMPT only the lines after `$ ` are commands, and the
# rest is what they print.
function colour_shell(line, prompt,    command, comment) {
    if (prompt && line !~ /^\$ /)
        return coloured("o", line)
    command = prompt ? substr(line, 3) : line
    if (match(command, /(^| )# .*/)) {
        comment = coloured("c", substr(command, RSTART))
        command = substr(command, 1, RSTART - 1)
    }
    if (prompt)
        return "<span class=o>$ </span><b>" command "</b>" comment
    return command comment
}

function colour(language, line) {
    if (language ~ /^(cuda|c|c\+\+|cu|cuh|h)$/)
        return colour_c(line)
    if (language == "sh" || language == "console")
        return colour_shell(line, language == "console")
    return line
}
