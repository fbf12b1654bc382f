/*
 * Answers of one exercise that are compiled together: for tests, which judge many answers of theirs. One
 * call of the compiler then serves for all, each in a namespace of its own.
 */
#include "checker.h"

static const char *together; /* the folder where they were compiled, or NULL */
static int answer_number;

bool compile_together(const char *folder, const char *name, char **answers, int count)
{
    Text all = {NULL, 0, 0};
    addf(&all, "#include \"exercises/exercise.h\"\n");
    for (int i = 0; i < count; i++) {
        char *part = text("%s/%d", folder, i);
        if (!make_folders(part) || !copy_file(answers[i], text("%s/%s.cu", part, name)))
            return false;
        addf(&all,
             "#define exercise_launch exercise_launch_%d\n#define exercise_elements "
             "exercise_elements_%d\nnamespace answer_%d {\n#include \"%d/%s.cu\"\n}\n"
             "#undef exercise_launch\n#undef exercise_elements\n",
             i, i, i, i, name);
    }
    char *source = text("%s.cu", name);
    if (!write_file(text("%s/%s", folder, source), all.p, all.n))
        return false;
    Outcome o = compile_source(folder, source);
    together = o.how == ENDED && !o.code ? folder : NULL;
    return together != NULL;
}

void use_compiled(int i) { answer_number = i; }

bool is_compiled(void) { return together != NULL; }

bool take_compiled(const char *work, const char *name, Verdict *v)
{
    char *rename[] = {"objcopy",
                      text("--redefine-sym=exercise_launch_%d=exercise_launch", answer_number),
                      text("--redefine-sym=exercise_elements_%d=exercise_elements", answer_number),
                      "host.o", NULL};
    return copy_file(text("%s/host.o", together), text("%s/host.o", work)) &&
           copy_file(text("%s/device.o", together), text("%s/device.o", work)) &&
           tool_works(work, rename, name, v);
}
