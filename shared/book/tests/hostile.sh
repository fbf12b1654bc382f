#!/bin/bash
# Hostile input does no harm: in the address of the bench, and in the names and titles of a book's files.
# usage: hostile.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -f "$book/bench.html" ] || { skip 'no book was made'; finish; }

# ---- the bench ----
# ask CODE: print what the page answers within half a minute to the fragment that the code makes.
ask() {
    printf '%s %s %s %s %s %s\n' "eval (async () => { const before = document.body.dataset.done; location.hash = $1;" \
        "for (let i = 0; i < 3000 && document.body.dataset.done === before; i++)" \
        "await new Promise((later) => setTimeout(later, 10));" \
        "return 'said ' + (document.body.dataset.done !== before) + ' ' + (window.harmed || 'unharmed') + ' ' +" \
        "(document.getElementById('trouble').hidden ? document.getElementById('sum').textContent :" \
        "document.getElementById('trouble').textContent.split('\\n')[0]); })()"
}
{
    echo "open file://$book/bench.html"
    ask "'layout=' + '('.repeat(1000000)"
    ask "'layout=(4,4):(4,1)&access=' + '1,'.repeat(500000)"
    ask "'layout=' + encodeURIComponent('<script>window.harmed=1</script>')"
    ask "'layout=' + encodeURIComponent('<img src=x onerror=window.harmed=1>') + '&access=' + encodeURIComponent('\"><svg onload=window.harmed=1>')"
    ask "'layout=(4,4):(4,1)&swizzle=' + encodeURIComponent('1,0,1> o 0 o <b>')"
    ask "'layout=%00%ff%fe&bytes=%00&memory=nowhere&request=-7'"
    ask "'layout=(1048576,1048576):(1,1048576)'"
    ask "'layout=(1024,1024):(1024,1)&request=99999999999'"
    ask "'layout=--help&access=--tsv'"
    ask "'layout=(4611686018427387904):(4611686018427387904)'"
    ask "'layout=(4,4):(4,1)&swizzle=-1,0,1'"
    ask "'layout=(32,32):(33,1)'"
    echo "eval (() => { const field = document.querySelector('[name=layout]'); field.value = '(32,32):(32,1)';" \
        "field.dispatchEvent(new Event('input', {bubbles: true})); return 'old: ' +" \
        "['sum', 'results'].map((id) => document.getElementById(id).classList.contains('stale')); })()"
    echo "eval (async () => { while (document.getElementById('work').textContent !== '1024' ||" \
        "document.querySelector('.stale')) await new Promise((later) => setTimeout(later, 10)); return 'new'; })()"
    echo "eval (() => { const field = document.querySelector('[name=a]'); field.value = '(8,2):(2,1)'; field.dispatchEvent(new Event('input', {bubbles: true})); return 'algebra: ' + document.getElementById('answer').classList.contains('stale') + document.getElementById('use').hidden; })()"
    echo "eval (async () => { const said = document.getElementById('answer'); document.querySelector('#algebra button').click(); while (said.matches('.stale')) await new Promise((later) => setTimeout(later, 10)); return 'calculated: ' + said.textContent.includes('(8,2)'); })()"
    echo "eval (async () => { document.getElementById('search').click(); while (!document.querySelector('#swizzles a')) await new Promise((later) => setTimeout(later, 10)); const field = document.querySelector('[name=layout]'); field.value = '(64,64):(64,1)'; field.dispatchEvent(new Event('input', {bubbles: true})); while (document.querySelector('.stale')) await new Promise((later) => setTimeout(later, 10)); return 'swizzles: ' + document.querySelectorAll('#swizzles a').length; })()"
    echo "eval 'answers: ' + (window.harmed || 'unharmed')"
} | drive
check "not all were answered: $(grep -v 'said true unharmed' "$work/out" | head -n 3)" \
    [ "$(grep -c '^said true unharmed' "$work/out")" -eq 12 ]
check 'the bench does not work any more' grep -q '^said true unharmed 32 requests take 32 wavefronts' "$work/out"
check 'a leading minus is dropped' grep -q "^said true unharmed .*must not be negative" "$work/out"
check 'old numbers look current' grep -qx 'old: true,true' "$work/out"
check 'new numbers look old' grep -qx 'new' "$work/out"
says '^algebra: truetrue'
says '^calculated: '
says '^swizzles: 0'
check 'unharmed' grep -qx 'answers: unharmed' "$work/out"

# ---- the book: a small workbook with odd names ----
"$root/shared/book/python.sh" >/dev/null || { skip 'no python3 with the modules of the book here'; finish; }
tree=$work/tree
name='00_<img src=x onerror=window.harmed=1>'
mkdir -p "$tree/shared/cpucc" "$tree/steps/$name"
cp -r "$root/shared/book" "$tree/shared" && cp -r "$root/shared/cpucc/page" "$tree/shared/cpucc"
# shellcheck disable=SC2016 # the backticks are Markdown's
printf '# A <b>bold</b> `title` & "more"\n\n[file](steps/%s/a&b"c.txt)\n' 'nowhere' >"$tree/README.md"
printf '# </title><script>window.harmed=1</script>\n\n## </script><script>window.harmed=1</script>\n\n```cuda\n"</pre>" <b> // </script>\n```\n' \
    >"$tree/steps/$name/README.md"
"$tree/shared/book/book.sh" --no-players "$work/odd" >"$work/said" 2>&1
check "it could not be made: $(cat "$work/said")" [ -s "$work/odd/index.html" ]
lesson="steps/$(printf '%s' "$name" | sed 's/ /%20/g; s/</%3C/; s/>/%3E/')/index.html"
{
    for page in index.html "$lesson"; do
        echo "open file://$work/odd/$page"
        echo "eval 'seen ' + document.title.length + ' ' + Boolean(document.getElementById('contents'))"
        echo "eval 'title and contents: ' + Boolean(document.querySelector('title script, nav script, nav img'))"
    done
    echo "eval (document.querySelector('.search input').focus(), 0)"
    echo "eval (async () => { while (!window.bookSearch) await new Promise((later) => setTimeout(later, 5));" \
        "const input = document.querySelector('.search input'); input.value = 'title';" \
        "input.dispatchEvent(new Event('input')); return 'hits ' + document.querySelector('.found').children.length; })()"
} | drive
check 'the odd book cannot be read' [ "$(grep -c '^seen .*true' "$work/out")" -eq 2 ]
check 'a name became an element' [ "$(grep -c '^title and contents: false' "$work/out")" -eq 2 ]
check 'its search fails' grep -q '^hits [1-9]' "$work/out"
finish
