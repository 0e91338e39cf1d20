/* What an input is called where it is spoken of. */
#ifndef GRT_SIM_INPUT_NAME_H
#define GRT_SIM_INPUT_NAME_H

/* Its path, "standard input" for "-", and two quotes where the path is empty. Lives as long as the path. */
const char *grt_input_name(const char *path);

#endif
