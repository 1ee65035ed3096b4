using System.Net;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Server.Audit;
using Gateway.Transport.Security;

namespace Gateway.Server.Users;

/// <summary>
/// The user check of the doors other than UA-TCP: the same users, the same checks and the same lockout, with an audit
/// line for each refusal and for the first request that is let in in a while. Any thread.
/// </summary>
public sealed class UserLogins
{
    private const int MaxRemembered = 256;

    private static readonly TimeSpan SilentFor = TimeSpan.FromMinutes(10);

    /// <summary>How a user is named in the audit whose token or certificate was refused.</summary>
    private const string Unproven = "";

    private readonly IUserValidator _users;
    private readonly AuditLog _audit;
    private readonly TimeProvider _clock;
    private readonly Lock _lock = new();
    private readonly Dictionary<(string User, IPAddress? Address), long> _lastSeen = [];

    internal UserLogins(IUserValidator users, AuditLog audit, TimeProvider clock) =>
        (_users, _audit, _clock) = (users, audit, clock);

    /// <param name="user">As the peer sent it.</param>
    /// <param name="password">UTF-8; wiped.</param>
    /// <param name="remoteAddress">The peer's address, for the lockout.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    public ValueTask<UserVerdict> CheckAsync(
        string user, byte[] password, IPAddress? remoteAddress, CancellationToken cancellationToken) => CheckAsync(
            new UserNameIdentityToken { UserName = user, Password = password }, user, remoteAddress,
            cancellationToken);

    /// <param name="token">Of an authorization service, in UTF-8.</param>
    /// <param name="remoteAddress">Of the peer, for the lockout.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    public ValueTask<UserVerdict> CheckTokenAsync(
        byte[] token, IPAddress? remoteAddress, CancellationToken cancellationToken) => CheckAsync(
            new IssuedIdentityToken { TokenData = token }, Unproven, remoteAddress, cancellationToken);

    /// <param name="certificate">DER, of a client that has proven in a TLS handshake that it holds its key.</param>
    /// <param name="remoteAddress">Of the peer, for the lockout.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    public ValueTask<UserVerdict> CheckCertificateAsync(
        byte[] certificate, IPAddress? remoteAddress, CancellationToken cancellationToken) => CheckAsync(
            new X509IdentityToken { CertificateData = certificate }, Unproven, remoteAddress, cancellationToken);

    private async ValueTask<UserVerdict> CheckAsync(
        UserIdentityToken token, string user, IPAddress? remoteAddress, CancellationToken cancellationToken)
    {
        var verdict = await _users.ValidateAsync(
            new UserTokenContext
            {
                Token = token,
                Policy = new UserTokenPolicy { TokenType = TypeOf(token) },
                // Of a certificate its rules for keys alone.
                SecurityPolicy = token is X509IdentityToken ? SecurityPolicies.Basic256Sha256 : SecurityPolicies.None,
                IsKeyProven = token is X509IdentityToken,
                ServerNonce = [],
                ClientCertificate = [],
                RemoteEndPoint = remoteAddress is null ? null : new IPEndPoint(remoteAddress, 0),
            },
            cancellationToken).ConfigureAwait(false);
        if (verdict.Identity is null)
            _audit.Login(
                AuditEvent.LoginRefused, user, remoteAddress, verdict.Status, verdict.Detail,
                isDecided: verdict.Reason != RefusalReason.None);
        else if (IsNew(verdict.Identity.Key, remoteAddress))
            _audit.Login(AuditEvent.LoginAccepted, verdict.Identity.Key, remoteAddress, verdict.Status);
        return verdict;
    }

    private static UserTokenType TypeOf(UserIdentityToken token) => token switch
    {
        IssuedIdentityToken => UserTokenType.IssuedToken,
        X509IdentityToken => UserTokenType.Certificate,
        _ => UserTokenType.UserName,
    };

    private bool IsNew(string user, IPAddress? address)
    {
        var now = _clock.GetTimestamp();
        lock (_lock)
        {
            var isNew = !_lastSeen.TryGetValue((user, address), out var last) ||
                _clock.GetElapsedTime(last, now) > SilentFor;
            if (isNew && _lastSeen.Count >= MaxRemembered)
                _lastSeen.Clear();
            _lastSeen[(user, address)] = now;
            return isNew;
        }
    }
}
