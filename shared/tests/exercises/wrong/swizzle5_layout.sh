untouched 'line 22 still has a blank to fill in: answer: ___'
right <<<"$(exercise | sed 's/___/Sw<5,0,5> o 0 o (64,32):(32,1)/')"
wrong 'your layout leaves bank conflicts' <<<"$(exercise | sed 's/___/(64,32):(32,1)/')"
wrong 'your layout leaves bank conflicts' <<<"$(exercise | sed 's/___/Sw<3,0,5> o 0 o (64,32):(32,1)/')"
# A pad.
wrong 'different places below 2048; 2048 are needed' <<<"$(exercise | sed 's/___/(64,32):(33,1)/')"
# All rows in one place.
wrong 'your layout puts its elements into 32 different places below 2048' <<<"$(exercise | sed 's/___/(64,32):(0,1)/')"
wrong 'your layout has the shape \(32,32\); \(64,32\) is asked for' <<<"$(exercise | sed 's/___/Sw<5,0,5> o 0 o (32,32):(32,1)/')"
wrong 'does not understand the answer' <<<"$(exercise | sed 's/___/Swizzle five/')"
