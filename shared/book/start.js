// Starts what the page needs.

if (text.querySelector('h2[id^=predict], h2#questions'))
    ask_for_predictions();
if (document.body.classList.contains('lesson'))
    keep_place();
set_up_landing();
tally_contents();
add_copy_buttons();
set_up_wide_blocks();
set_up_search();
set_up_drawer();
set_up_player();
const current = document.querySelector('nav.contents [aria-current]');
if (current && matchMedia('(min-width: 56.01rem)').matches)
    current.scrollIntoView({block: 'nearest'});
