using System.Net;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <param name="Remote">The peer's address.</param>
/// <param name="Policy">The row that it asks for.</param>
/// <param name="CertificateThumbprint">SHA-1 of the leaf, hexadecimal; unchecked; empty for None.</param>
/// <param name="IsRenewal">Of a channel that is open.</param>
/// <param name="HasActiveSession">Of that channel.</param>
public readonly record struct ChannelOpening(
    EndPoint? Remote, SecurityPolicy Policy, string CertificateThumbprint, bool IsRenewal, bool HasActiveSession);
