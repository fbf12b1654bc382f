# A file of the system as source.
refused 'does not compile|only headers of the workbook' <<<"#include \"/etc/passwd\"
$(solution)"
