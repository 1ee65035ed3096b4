using System.Net;

namespace Gateway.Server.Users;

/// <summary>The key of an account of <see cref="FailedLogins"/>. Names come from the peer, so it holds their hash.
/// </summary>
/// <param name="User">0: all users.</param>
/// <param name="Address"><see cref="IPAddress.None"/>: all addresses.</param>
/// <param name="Client">Thumbprint of the client's certificate; empty: all clients.</param>
internal readonly record struct LoginKey(int User, IPAddress Address, string Client);
