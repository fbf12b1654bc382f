# The rules behind every step's Makefile, which sets PROGRAM and includes this file.
#
#   make                        build the program with nvcc
#   make run ARGS="..."         build and run it; on the CPU where there is no nvcc or no device
#   make cpu ARGS="..."         build and run it on the CPU
#   make try CHANGE='s/a/b/'    run a copy of the program with that change (a sed script) on the CPU
#   make page ARGS="..."        a page of pictures of what the kernels did on the CPU: PROGRAM.html
#   make page NAME=x            the same of exercise x, beside your answer
#   make profile                compare what the CPU run predicts with what Nsight Compute counts
#                               (PROFILE_SIZE="1000 1500" for other rows and cols)
#   make exercises              check the exercises of this step
#   make next                   check the next one, and say what it lacks
#   make check NAME=x           check exercise x
#   make hint NAME=x            a hint for it; make reset NAME=x begins again
#   make solution NAME=x        our solution, after yours passes or after make give-up NAME=x
#   make clean                  remove what was built
#
# VARIANTS are the variants that run, cpu, try and page take if ARGS names none; empty: all.
# ARCH is the GPU to build for: the one present, else Hopper. NVCC and NVCCFLAGS may be set too.

SHARED := $(dir $(lastword $(MAKEFILE_LIST)))../
NVCC ?= nvcc
HAVE_NVCC := $(shell command -v $(NVCC) 2>/dev/null)
HAVE_DEVICE := $(shell nvidia-smi -L 2>/dev/null | grep -c GPU)
ARCH ?= $(if $(filter-out 0,$(HAVE_DEVICE)),native,sm_90)
NVCCFLAGS ?= -Xcompiler -Wall,-Wextra
CPUCC := $(SHARED)cpucc/cpucc
ARGS ?=
CHOSEN = $(if $(findstring --variant,$(ARGS)),,$(VARIANTS:%=--variant %))

PROFILE_SIZE ?= 1024 1024

.PHONY: all run cpu try page profile exercises next check hint solution give-up reset clean
all: $(PROGRAM)

$(PROGRAM): $(PROGRAM).cu $(wildcard *.cuh $(SHARED)harness/*.h $(SHARED)transpose/*.*)
	@$(if $(HAVE_NVCC),,echo "no nvcc here: make cpu runs the step on the CPU"; exit 1)
	$(NVCC) -O3 -std=c++17 -arch=$(ARCH) -I$(SHARED) $(NVCCFLAGS) $< -o $@

ifeq ($(HAVE_NVCC),)
run: ; @echo "no nvcc here: running on the CPU"; $(MAKE) --no-print-directory cpu
else ifeq ($(filter-out 0,$(HAVE_DEVICE)),)
run: ; @echo "no CUDA device here: running on the CPU"; $(MAKE) --no-print-directory cpu
else
run: $(PROGRAM)
	./$(PROGRAM) $(CHOSEN) $(ARGS)
endif

cpu: $(PROGRAM).cpu
	./$(PROGRAM).cpu $(CHOSEN) $(ARGS)

$(PROGRAM).cpu: $(PROGRAM).cu $(wildcard *.cuh $(SHARED)harness/*.h $(SHARED)transpose/*.* $(SHARED)traffic/*.[ch] $(SHARED)cpucc/* $(SHARED)cpucc/[!t]*/*)
	$(CPUCC) -I$(SHARED) $< -o $@

try:
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && changed=$$folder/$(PROGRAM).cu && \
	sed '$(CHANGE)' $(PROGRAM).cu >"$$changed" && \
	if cmp -s $(PROGRAM).cu "$$changed"; then echo "CHANGE='$(CHANGE)' changes nothing" >&2; exit 2; fi && \
	$(CPUCC) -I$(SHARED) -I. "$$changed" -o "$$folder/changed" && "$$folder/changed" $(CHOSEN) $(ARGS)

ifeq ($(NAME),)
page: $(PROGRAM).cpu
	@rm -f $(PROGRAM).html; status=0; \
	CPUCC_REPORT=html CPUCC_REPORT_FILE=$(PROGRAM).html ./$(PROGRAM).cpu $(CHOSEN) $(ARGS) || status=$$?; \
	[ ! -f $(PROGRAM).html ] || echo "$(PROGRAM).html: open it in a browser"; exit $$status
else
page: EXERCISE := exercises/$(NAME)
page:
	@[ -f "$(EXERCISE)/task.cu" ] || { echo "there is no exercise '$(NAME)' here" >&2; exit 2; }
	@cd "$(EXERCISE)" && source=answer.cu && { [ -f $$source ] || source=task.cu; } && \
	rm -f "$(NAME).html" && \
	"$(abspath $(CPUCC))" "-I$(abspath $(SHARED))" $$source -o answer.cpu && { status=0; \
	CPUCC_REPORT=html CPUCC_REPORT_FILE="$(NAME).html" ./answer.cpu $(ARGS) || status=$$?; \
	[ ! -f "$(NAME).html" ] || echo "$(EXERCISE)/$(NAME).html: open it in a browser"; exit $$status; }
endif

profile: $(PROGRAM) $(PROGRAM).cpu
	$(SHARED)profile/profile.sh ./$(PROGRAM) ./$(PROGRAM).cpu $(PROFILE_SIZE)

CHECK := EXERCISES_MAKE=yes EXERCISES_CALLER="$$PWD" $(SHARED)exercises/check.sh --exercises
exercises: ; @$(CHECK) "$${PWD##*/}" || [ $$? -eq 1 ]
next: ; @$(CHECK) "$${PWD##*/}" --next || [ $$? -eq 1 ]
check: ; @$(if $(NAME),,echo 'which one? make check NAME=...'; exit 2;) $(CHECK) "$(NAME)" || [ $$? -eq 1 ]
hint reset solution give-up: ; @$(if $(NAME),,echo 'which one? make $@ NAME=...'; exit 2;) $(CHECK) --$@ "$(NAME)"

clean:
	rm -f $(PROGRAM) $(PROGRAM).cpu $(PROGRAM).html
