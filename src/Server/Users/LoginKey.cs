using System.Net;

namespace Gateway.Server.Users;

/// <summary>Of an account of <see cref="FailedLogins"/>. Names come from the peer: their hash is kept, not they.
/// </summary>
/// <param name="User">0 where the account is of all users.</param>
/// <param name="Address"><see cref="IPAddress.None"/> where it is of all addresses.</param>
/// <param name="Client">Thumbprint of the client's certificate; empty: of all clients.</param>
internal readonly record struct LoginKey(int User, IPAddress Address, string Client);
