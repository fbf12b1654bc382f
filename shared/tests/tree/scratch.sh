#!/bin/bash
# Adds a variant, an exercise and a step to a copy of the tree, as .github/CONTRIBUTING.md says. Checks that a
# variant changes one file, an exercise its folder, and a step its folder and the README's table; that the checks
# of the lesson and of the exercises pass; and that run_all.sh, make, CMake and the charts find what is new.
# usage: scratch.sh
. "$(dirname "$0")/tree.sh"
"$root/shared/cpucc/find_clang.sh" >/dev/null || { skip "clang is not installed"; finish; }
command -v git >/dev/null || { skip "git is not installed"; finish; }

# Hides the GPU, so that the programs run on the CPU on every machine.
mkdir "$work/bin" "$work/book"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/nvidia-smi"
chmod +x "$work/bin/nvidia-smi"
export PATH="$work/bin:$PATH"

files | tar -cf - -T - | tar -xf - -C "$work/book"
cd "$work/book" || exit 1
step=$(basename steps/*_smem) like=steps/$(basename steps/*_padding) new=steps/99_scratch
git init -q . && git config user.email scratch@example.org && git config user.name scratch
git add -A && git commit -qm 'A copy'

# touched: prints the files that git lists as changed or new, on one line.
touched() { git status --porcelain --untracked-files=normal | cut -c 4- | sort | tr '\n' ' '; }

# commands SECTION NAME: sets `typed` to the commands of the section's first block in CONTRIBUTING.md, with this NAME.
commands() {
    mapfile -t typed < <(sed -n "/^## $1\$/,/^## /p" .github/CONTRIBUTING.md |
        sed -n '/^```sh/,/^```/{/^```/d;s/ *#.*//;p}' | sed "s/NAME/$2/")
    check "$1: ${#typed[@]} commands, not 3" [ ${#typed[@]} = 3 ]
}

# The variant: a line in the list of a step's program.
sed '/^ *static const Variant variants\[\]/,/^ *{"/{/^ *{"/{p;s/"[^"]*"/"another"/}}' "steps/$step/smem.cu" >"$work/smem.cu"
cp "$work/smem.cu" "steps/$step/smem.cu"
commands 'A variant' another
expect 0 bash -c "cd steps/$step && ${typed[0]}"
says '^another  *yes '
check "a variant touches more than its file: $(touched)" [ "$(touched)" = "steps/$step/smem.cu " ]
git commit -qam 'A variant'

for page in "steps/$step"/*.md; do expect 0 shared/tests/lessons/page.py "$page"; done

# The exercise: commands of CONTRIBUTING.md make its folder and test it.
exercise=smem99_again
home=steps/$step/exercises/$exercise
commands 'An exercise' $exercise
expect 0 bash -c "${typed[0]}"
expect 1 bash -c "${typed[1]}" # the goal of the template is one that can be asked for
says 'the stores take 65536 sectors in all (global_store); the goal is at most 8192'
expect 1 shared/exercises/tests/complete.py "$home"
check "a new exercise lacks more than its TODOs say: $(cat "$work/out")" \
    not grep -vE 'TODO|fewer than two sentences|three are asked for|are there 0 times' "$work/out"
for file in "steps/$step/exercises/smem1_read"/*.{cu,md,txt}; do # stands in for the exercise's author
    sed "s/smem1_read/$exercise/g" "$file" >"$home/${file##*/}"
done
rm "$home/answer.cu"
expect 1 bash -c "${typed[1]}"
says "next ->  *$exercise"
cp "$home/solution.cu" "$home/answer.cu"
expect 0 bash -c "${typed[1]}"
export TMPDIR=$work/tmp
mkdir -p "$TMPDIR/exercise_tools.$(id -u)"
cp -r out/exercises/tools-* "$_" # saves one.sh a build
expect 0 bash -c "${typed[2]}"
for check in incomplete teaching; do expect 0 shared/exercises/tests/$check.sh; done
check "an exercise touches more than its folder: $(touched)" [ "$(touched)" = "$home/ " ]
git add -A && git commit -qm 'An exercise'

# Two steps are enough, because all steps are handled alike.
for folder in steps/[0-9][0-9]_*/; do
    case $folder in *_smem/ | *_padding/) ;; *) rm -r "$folder" ;; esac
done
git commit -qam 'Two steps'

# The step: a folder and a line in the README's table.
mkdir $new
sed 's/padding/scratch/' "$like/Makefile" >$new/Makefile
sed 's/03_padding/99_scratch/; s/"padded"/"scratched"/g' "$like/padding.cu" >$new/scratch.cu
cat >$new/README.md <<'END'
# Step 99: something new

[← 03](../03_padding/README.md) · [contents](../../README.md)

**Time:** about 1 minutes
**Know first:** [step 03](../03_padding/README.md)

## Predict

```cuda
            tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
```

## What the counters say

<details><summary>On a GPU</summary>

<!-- output: begin (plots/record.sh writes this) -->
<!-- output: end -->
</details>

## Try this

## Questions

<details><summary>1</summary>
</details>
<details><summary>2</summary>
</details>
<details><summary>3</summary>
</details>

## Exercises

## Sources
END
sed -i 's,^| \[03_padding\].*,&\n| [99_scratch](steps/99_scratch/README.md) | A new one. |,' README.md

expect 0 ./run_all.sh --size 64
says '^ *99_scratch  *scratched '
says "^ *$step  *another "
for row in "99_scratch scratched" "$step another"; do
    check "no counts of $row" grep -q "^${row/ /$'\t'}	" out/counts.tsv
done
if command -v gnuplot >/dev/null; then
    for name in 99_scratch another; do
        check "no chart says $name" grep -rqF "$name" out/figures/counts.svg
    done
    check "no chart of the scratch step's lanes" [ -n "$(compgen -G 'out/figures/lanes_99_scratch.*')" ]
else
    skip "gnuplot is not installed: the charts"
fi
expect 0 make -C $new cpu VARIANTS=scratched ARGS="--size 33"
expect 2 make -C $new cpu VARIANTS=none ARGS="--size 33"
if command -v nvcc >/dev/null; then
    expect 0 make -C $new
fi
check "a step touches more than its folder and the README: $(touched)" \
    [ "$(touched)" = "README.md $new/ " ]

expect 0 cmake -S . -B "$work/build" -DCMAKE_CUDA_COMPILER=NOTFOUND
expect 0 cmake --build "$work/build" --target cpu_99_scratch layout
expect 0 ctest --test-dir "$work/build" -R 99_scratch --output-on-failure
for name in command_line on_cpu counts; do says "steps\.$name\.99_scratch "; done
says 'lessons\.99_scratch '
expect 0 ctest --test-dir "$work/build" -N
says "exercises\.answers\.$exercise\$"
finish
