using System.Net;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Server.Audit;
using Gateway.Transport.Security;

namespace Gateway.Server.Users;

/// <summary>
/// The user check of protocols other than UA-TCP: the same users, the same password check and the same lockout. Writes
/// an audit line for each refusal, and for the first accepted request after a pause. Any thread.
/// </summary>
public sealed class PasswordLogins
{
    private const int MaxRemembered = 256;

    private static readonly TimeSpan SilentFor = TimeSpan.FromMinutes(10);

    private static readonly UserTokenPolicy Policy = new() { PolicyId = "login", TokenType = UserTokenType.UserName };

    private readonly IUserValidator _users;
    private readonly AuditLog _audit;
    private readonly TimeProvider _clock;
    private readonly Lock _lock = new();
    private readonly Dictionary<(string User, IPAddress? Address), long> _lastSeen = [];

    internal PasswordLogins(IUserValidator users, AuditLog audit, TimeProvider clock) =>
        (_users, _audit, _clock) = (users, audit, clock);

    /// <param name="user">As the peer sent it.</param>
    /// <param name="password">UTF-8; wiped.</param>
    /// <param name="remoteAddress">The peer's address, for the lockout.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    public async ValueTask<UserVerdict> CheckAsync(
        string user, byte[] password, IPAddress? remoteAddress, CancellationToken cancellationToken)
    {
        var verdict = await _users.ValidateAsync(
            new UserTokenContext
            {
                Token = new UserNameIdentityToken { PolicyId = Policy.PolicyId, UserName = user, Password = password },
                Policy = Policy,
                SecurityPolicy = SecurityPolicies.None,
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
