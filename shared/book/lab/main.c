/* The program `lab`: prints what the lab reports of a source. usage: lab FILE OPERATION BYTES ROWS COLS [COUNT] */
#include "internal.h"
#include <stdio.h>
#include <stdlib.h>

void lab_end(void)
{
    fputs(lab_report(), stdout);
    exit(1);
}

int main(int argc, char **argv)
{
    static char source[LAB_TEXT];
    FILE *file = argc >= 6 ? fopen(argv[1], "rb") : NULL;
    if (!file || argc > 7) {
        fputs(argc >= 6 ? "lab: cannot read the file\n"
                        : "usage: lab FILE OPERATION BYTES ROWS COLS [COUNT]\n",
              stderr);
        return 2;
    }
    source[fread(source, 1, sizeof source - 1, file)] = '\0';
    fclose(file);
    fputs(lab_run(source, argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]),
                  argc > 6 ? atoi(argv[6]) : 1),
          stdout);
    return 0;
}
