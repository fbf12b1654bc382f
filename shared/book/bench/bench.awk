# The page of the bench: its body is the input.
BEGIN { read_pages(pages); frame_begin("bench", 0) }
{ print }
END { frame_end("bench") }
