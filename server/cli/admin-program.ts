// The words by which the operator starts a command, in sentences of the program.

/** `todoke-admin` sets the variable, since it runs commands as the user of the servers and with their environment. */
export const ADMIN = process.env['TODOKE_ADMIN'] ?? 'npm run admin --'
