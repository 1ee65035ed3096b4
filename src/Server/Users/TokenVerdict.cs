using Gateway.Operations.Access;

namespace Gateway.Server.Users;

/// <param name="Identity">Present exactly when there is no fault; it ends with the token.</param>
/// <param name="Fault">Why the token is refused.</param>
/// <param name="Detail">For the audit log, never for the client; what came from the peer is escaped in it.</param>
public readonly record struct TokenVerdict(UserIdentity? Identity, TokenFault Fault, string? Detail = null);
