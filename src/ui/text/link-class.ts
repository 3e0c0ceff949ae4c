// linkClass: a way to another page in the middle of words; the finger has more of it than the eye.

export const linkClass =
  'relative underline underline-offset-4 before:absolute before:-inset-x-2 before:-inset-y-3 hover:text-soft'
