/*
 * fit.h: fits the factors of the rule's model to measured problems. Host code of tune.cu.
 */
#ifndef TRANSPOSE_FIT_H
#define TRANSPOSE_FIT_H

#include <stdlib.h>

#include "transpose/rule.h"

enum { RIVAL = TRANSPOSE_WAYS, CONTENDERS, MOST = 90000, RULES = 4 * 5 * 2 * TRANSPOSE_WAYS };

/* A measured problem: percent of a copy's speed per contender, 0 if it cannot do it; and by each half
 * of the rounds alone. */
typedef struct {
    Transpose t;
    int form, bytes, aligned; /* bytes: of an element in the simplest form */
    float percent[CONTENDERS], half[2][CONTENDERS];
    int chosen, fitted; /* ways: of today's table and of the new one */
} Sample;

static Sample samples[MOST];
static int sample_count;
static double l2_bytes;

/* Solves the normal equations a x = b of `n` unknowns by Gauss's elimination; x replaces b. */
static void solve(int n, double a[TRANSPOSE_TERMS][TRANSPOSE_TERMS], double b[TRANSPOSE_TERMS])
{
    for (int k = 0; k < n; k++) /* positive definite: no pivots */
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

/* Fits the factors of a form, element size, alignment and way to every step-th sample, by least
 * squares with a small penalty on large factors. A sample has the more weight, the nearer its way is to the best.
 * Returns the number of samples. */
static int fit_rule(TransposeRule *rule, int step)
{
    double a[TRANSPOSE_TERMS][TRANSPOSE_TERMS] = {{0}}, b[TRANSPOSE_TERMS] = {0};
    double weights = 0;
    int count = 0;
    for (int i = 0; i < sample_count; i += step) {
        const Sample *s = &samples[i];
        TransposeProblem p;
        float term[TRANSPOSE_TERMS];
        if (s->percent[rule->way] <= 0 || s->form != rule->form || s->bytes != rule->bytes ||
            s->aligned != rule->aligned)
            continue;
        transpose_check(&s->t, &p);
        transpose_problem_terms(&p, l2_bytes, term);
        transpose_way_terms(&p, rule->way, term);
        double best = 0;
        for (int way = 0; way < TRANSPOSE_WAYS; way++)
            best = s->percent[way] > best ? s->percent[way] : best;
        const double weight = pow(s->percent[rule->way] / best, 2);
        for (int j = 0; j < TRANSPOSE_TERMS; j++) {
            for (int k = 0; k < TRANSPOSE_TERMS; k++)
                a[j][k] += weight * term[j] * term[k];
            b[j] += weight * term[j] * log(100 / s->percent[rule->way]);
        }
        weights += weight;
        count++;
    }
    for (int j = 0; j < TRANSPOSE_TERMS; j++)
        a[j][j] += 1e-3 * weights + 1e-6;
    solve(TRANSPOSE_TERMS, a, b);
    for (int j = 0; j < TRANSPOSE_TERMS; j++)
        rule->factor[j] = (float)b[j];
    return count;
}

static const float DECISION =
    0.012f; /* a way that takes so much more is chosen e times less often */

/* What a problem's ways are expected to take and to lose, if each is chosen the more often, the less
 * it is expected to take. */
typedef struct {
    TransposeRule *rule;
    float term[TRANSPOSE_TERMS], share, loss;
} Choice;

/* Fills in the choices of a sample; returns their number, and the mean loss as a share of the best
 * way's speed. */
static int choose(const Sample *s, TransposeRule *table, size_t length, Choice *choices,
                  float *mean)
{
    TransposeProblem p;
    int count = 0;
    float best = 0, least = 1e30f, sum = 0;
    transpose_check(&s->t, &p);
    for (TransposeRule *rule = table; rule < table + length; rule++) {
        if (rule->form != s->form || rule->bytes != s->bytes || rule->aligned != s->aligned ||
            s->percent[rule->way] <= 0)
            continue;
        Choice *choice = &choices[count++];
        choice->rule = rule;
        choice->share = 0;
        transpose_problem_terms(&p, l2_bytes, choice->term);
        transpose_way_terms(&p, rule->way, choice->term);
        for (int k = 0; k < TRANSPOSE_TERMS; k++)
            choice->share += rule->factor[k] * choice->term[k];
        least = choice->share < least ? choice->share : least;
        best = s->percent[rule->way] > best ? s->percent[rule->way] : best;
    }
    for (int i = 0; i < count; i++)
        sum += choices[i].share = expf((least - choices[i].share) / DECISION);
    *mean = 0;
    for (int i = 0; i < count; i++) {
        const float loss = 1 - s->percent[choices[i].rule->way] / best;
        choices[i].share /= sum;
        choices[i].loss = loss < 0.5f ? loss : 0.5f; /* a slower way is not worse to choose */
        *mean += choices[i].share * choices[i].loss;
    }
    return count;
}

/* Lowers the mean loss of such choices at every step-th sample, by gradient descent (Adam: Kingma
 * and Ba, 2015) from the factors that least squares gave, which pull a little. */
static void descend(TransposeRule *table, size_t length, int step)
{
    enum { EPOCHS = 400 };
    static float first[RULES][TRANSPOSE_TERMS], slope[RULES][TRANSPOSE_TERMS];
    static float mean[RULES][TRANSPOSE_TERMS], square[RULES][TRANSPOSE_TERMS];
    memset(mean, 0, sizeof mean);
    memset(square, 0, sizeof square);
    for (size_t r = 0; r < length; r++)
        memcpy(first[r], table[r].factor, sizeof first[r]);
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
        int samples_of[RULES] = {0};
        memset(slope, 0, sizeof slope);
        for (int i = 0; i < sample_count; i += step) {
            Choice choices[TRANSPOSE_WAYS];
            float loss;
            const int count = choose(&samples[i], table, length, choices, &loss);
            for (const Choice *choice = choices; choice < choices + count; choice++) {
                const size_t r = (size_t)(choice->rule - table);
                samples_of[r]++;
                for (int k = 0; k < TRANSPOSE_TERMS; k++)
                    slope[r][k] -=
                        choice->share * (choice->loss - loss) / DECISION * choice->term[k];
            }
        }
        for (size_t r = 0; r < length; r++)
            for (int k = 0; k < TRANSPOSE_TERMS; k++) {
                float *factor = &table[r].factor[k];
                const float g = slope[r][k] / (samples_of[r] + 1) + 0.01f * (*factor - first[r][k]);
                mean[r][k] = 0.9f * mean[r][k] + 0.1f * g;
                square[r][k] = 0.99f * square[r][k] + 0.01f * g * g;
                *factor -= 0.003f * mean[r][k] / (1 - powf(0.9f, (float)epoch)) /
                           (sqrtf(square[r][k] / (1 - powf(0.99f, (float)epoch))) + 1e-6f);
            }
    }
}

/* Drops the rules that choose the way of no sample; returns the table's new length. */
static size_t drop_idle(TransposeRule *table, size_t length)
{
    static char chosen[4][17][2][TRANSPOSE_WAYS]; /* by form, element bytes, alignment and way */
    size_t kept = 0;
    memset(chosen, 0, sizeof chosen);
    for (const Sample *s = samples; s < samples + sample_count; s++) {
        TransposeProblem p;
        transpose_check(&s->t, &p);
        chosen[s->form][s->bytes][s->aligned][transpose_best_way(&p, l2_bytes, table, length)] = 1;
    }
    for (const TransposeRule *rule = table; rule < table + length; rule++)
        if (chosen[rule->form][rule->bytes][rule->aligned][rule->way])
            table[kept++] = *rule;
    return kept;
}

/* Fills in a table of all forms, element sizes, alignments and ways that are chosen; returns its length. */
static size_t fit(TransposeRule *table, int step)
{
    size_t length = 0;
    for (int key = 0; key < RULES; key++) {
        const int way = key % TRANSPOSE_WAYS, aligned = key / TRANSPOSE_WAYS % 2;
        TransposeRule *rule = &table[length];
        rule->form = (unsigned char)(key / TRANSPOSE_WAYS / 10);
        rule->bytes = (unsigned char)(1 << key / TRANSPOSE_WAYS / 2 % 5);
        rule->aligned = (unsigned char)aligned;
        rule->way = (unsigned char)way;
        length += way != TRANSPOSE_COPY && fit_rule(rule, step) >= 8;
    }
    descend(table, length, step);
    return drop_idle(table, length);
}

#endif
