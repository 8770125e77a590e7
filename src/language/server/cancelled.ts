import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';

/** The answer to a request that the client has taken back. */
export function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
}
