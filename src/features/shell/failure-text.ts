// Texts of failed reads.
export const failureText = {
  number: 'お問い合わせの際は、この番号をお伝えください。',
}
