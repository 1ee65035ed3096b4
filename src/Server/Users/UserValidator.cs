using System.Security.Cryptography;
using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Server.Users;

/// <summary>Knows the anonymous user, users with a password, with a certificate and with a token. Any thread.
/// Source: Part 4 §7.40.</summary>
public sealed class UserValidator(
    UserDirectory users,
    ICertificateValidator userCertificates,
    ITokenValidator tokens,
    Func<ApplicationCertificate> serverCertificate,
    PrivateKeyLane privateKeys,
    TimeProvider timeProvider,
    ServerLimits limits) : IUserValidator
{
    private const int MaxNameLength = 256;
    private const int MaxPasswordBytes = 1024;

    private readonly PasswordChecker _passwords = new(users);
    private readonly FailedLogins _failedLogins = new(timeProvider, limits);
    private readonly CertificateUsers _certificateUsers = new(userCertificates);

    public UserIdentity? Anonymous => users.Anonymous;

    public UserIdentity? Renew(UserIdentity user) => users.Renew(user);

    public void RecheckCertificates() => _certificateUsers.Recheck();

    public void RefuseCertificate(string thumbprint) => _certificateUsers.Refuse(thumbprint);

    public ValueTask<UserVerdict> ValidateAsync(UserTokenContext context, CancellationToken cancellationToken) =>
        context.Token switch
        {
            AnonymousIdentityToken => new ValueTask<UserVerdict>(LetInAnonymous()),
            UserNameIdentityToken token => UserNameAsync(token, context, cancellationToken),
            X509IdentityToken token => CertificateAsync(token, context),
            IssuedIdentityToken token => IssuedTokenAsync(token, context, cancellationToken),
            _ => new ValueTask<UserVerdict>(
                Refuse(StatusCodes.BadIdentityTokenInvalid, "a kind of token not known here")),
        };

    private UserVerdict LetInAnonymous() => Anonymous is { } anonymous
        ? new UserVerdict(StatusCode.Good, anonymous)
        : Refuse(StatusCodes.BadIdentityTokenRejected, "anonymous users are not let in (Anonymous:Enabled)");

    private async ValueTask<UserVerdict> UserNameAsync(
        UserNameIdentityToken token, UserTokenContext context, CancellationToken cancellationToken)
    {
        var name = token.UserName ?? "";
        if (name.Length is 0 or > MaxNameLength)
            return Refuse(StatusCodes.BadIdentityTokenInvalid, "no user name, or one that is too long");
        var verdict = await NamedAsync(name, token, context, cancellationToken).ConfigureAwait(false);
        return verdict with { UserName = name };
    }

    private async ValueTask<UserVerdict> NamedAsync(
        string name, UserNameIdentityToken token, UserTokenContext context, CancellationToken cancellationToken)
    {
        var encrypted = token.Password ?? [];
        var policy = context.SecurityPolicy;
        // Before any decryption: an algorithm that the policy does not use is not tried (R13).
        if ((token.EncryptionAlgorithm ?? "") != (policy.EncryptionAlgorithmUri ?? ""))
            return Refuse(StatusCodes.BadIdentityTokenInvalid, "a password encryption other than the token policy's");
        var attempt = AttemptOf(name, context);
        var turn = _failedLogins.MayTry(attempt);
        if (turn == LoginTurn.Refused)
            return LockedOut();
        var secret = encrypted;
        if (!policy.IsNone)
        {
            var (decrypted, busy) = await OnLaneAsync(Decrypt, context).ConfigureAwait(false);
            if (busy is { } refused)
                return refused;
            secret = decrypted;
        }
        return await PasswordAsync(name, secret, turn, attempt, context, cancellationToken).ConfigureAwait(false);

        byte[]? Decrypt() => DecryptFor(context, own => PasswordSecret.TryDecrypt(
            policy, own.PrivateKey, encrypted, context.ServerNonce, PasswordSecret.MaxPasswordBlocks,
            out var plain) ? plain : null);
    }

    /// <param name="secret">Null when decryption failed. The time and the result are then those of a wrong password, as
    /// closely as possible.</param>
    private async ValueTask<UserVerdict> PasswordAsync(
        string name, byte[]? secret, LoginTurn turn, LoginAttempt attempt, UserTokenContext context,
        CancellationToken cancellationToken)
    {
        var isReadable = secret is { Length: <= MaxPasswordBytes };
        var result = await _passwords.CheckAsync(
            isReadable ? name : null, isReadable ? secret! : [],
            AddressKey.Of(context.RemoteEndPoint),
            () => _failedLogins.MayLook(turn, attempt), cancellationToken).ConfigureAwait(false);
        CryptographicOperations.ZeroMemory(secret);
        if (result.IsBusy)
            return Refuse(
                StatusCodes.BadServerTooBusy, "too many passwords are being checked", RefusalReason.PendingHandshakes);
        if (result.IsLockedOut)
            return LockedOut();
        if (result.Account is not { } account)
        {
            _failedLogins.Failed(attempt);
            return Refuse(StatusCodes.BadUserAccessDenied, "wrong user name or password");
        }

        _failedLogins.Succeeded(attempt);
        // A reload may have removed the user while the password was being checked.
        return users.IdentityOf(account) is { } user
            ? new UserVerdict(StatusCode.Good, user)
            : Refuse(StatusCodes.BadUserAccessDenied, "wrong user name or password");
    }

    /// <summary>Runs on the lane, with the standing of the address: a chain that an unknown client chose must not delay
    /// the connections of an event loop.</summary>
    private async ValueTask<UserVerdict> CertificateAsync(X509IdentityToken token, UserTokenContext context)
    {
        if (context.SecurityPolicy.IsNone)
            return Refuse(StatusCodes.BadIdentityTokenInvalid, "a certificate user needs a token policy that signs");
        var blob = token.CertificateData ?? [];
        // Each request over HTTPS shows it: nothing is left to be checked, whatever others do.
        if (context.IsKeyProven && FindPresent(blob, context) is { } present)
            return new UserVerdict(StatusCode.Good, present);
        var thumbprint = Convert.ToHexString(DerCertificate.ThumbprintOf(DerCertificate.LeafOf(blob)));
        var attempt = AttemptOf(thumbprint, context);
        var turn = _failedLogins.MayTry(attempt);
        if (turn == LoginTurn.Refused)
            return LockedOut($"user certificate {thumbprint} ");
        var (verdict, busy) = await OnLaneAsync(Look, context).ConfigureAwait(false);
        return busy ?? verdict;

        // Others may have failed since.
        UserVerdict Look() => _failedLogins.MayLook(turn, attempt)
            ? Certificate(blob, attempt, context)
            : LockedOut($"user certificate {thumbprint} ");
    }

    private UserVerdict Certificate(byte[] blob, LoginAttempt attempt, UserTokenContext context)
    {
        var generation = _certificateUsers.Generation;
        // Each address has its own places among the refused ones: HTTP has no pass.
        var address = context.Pass?.Address.Key ?? AddressKey.Of(context.RemoteEndPoint).ToString();
        var verdict = userCertificates.Validate(blob, context.SecurityPolicy, null, address);
        context.Pass?.Walked(verdict.SignatureChecks);
        if (!verdict.IsAccepted)
            return Fail(attempt, StatusCodes.BadIdentityTokenRejected, verdict.Detail) with { Certificate = verdict };
        if (!context.IsKeyProven && (context.Signature.Algorithm != context.SecurityPolicy.SignatureAlgorithmUri ||
            !HasSigned(verdict.Leaf, context)))
            return Fail(attempt, StatusCodes.BadUserSignatureInvalid, "the signature is not of " + verdict.Detail);
        userCertificates.Proven(verdict);
        _failedLogins.Succeeded(attempt);
        // Trust has changed meanwhile: with the lists of now.
        return _certificateUsers.Add(UserOf(verdict), generation) is { } user
            ? new UserVerdict(StatusCode.Good, user)
            : Certificate(blob, attempt, context);
    }

    private UserIdentity? FindPresent(byte[] blob, UserTokenContext context)
    {
        var generation = _certificateUsers.Generation;
        return userCertificates.FindProven(blob, context.SecurityPolicy) is { } verdict
            ? _certificateUsers.Find(verdict.Thumbprint) ?? _certificateUsers.Add(UserOf(verdict), generation)
            : null;
    }

    private UserIdentity UserOf(CertificateVerdict verdict) =>
        users.IdentityOf(new UserCertificate(verdict.Thumbprint, verdict.Chain), InWords(verdict));

    /// <summary>A token cannot be guessed, so the lockout is only against the work of checking: one that was right
    /// before passes whatever others do, and a client with a certificate, else the token itself, has an account of its
    /// own beside that of its address.</summary>
    private async ValueTask<UserVerdict> IssuedTokenAsync(
        IssuedIdentityToken token, UserTokenContext context, CancellationToken cancellationToken)
    {
        var (policy, data) = (context.SecurityPolicy, token.TokenData ?? []);
        if (!IsEncryptedBy(policy, token.EncryptionAlgorithm ?? "", data))
            return Refuse(StatusCodes.BadIdentityTokenInvalid, "a token encryption other than the token policy's");
        if (policy.IsNone && tokens.TryGetKnown(data, out var known))
            return Good(known);
        var attempt = AttemptOf("token " + (context.ClientThumbprint.Length > 0
            ? context.ClientThumbprint
            : Convert.ToHexString(SHA256.HashData(data))), context);
        if (_failedLogins.MayTry(attempt) == LoginTurn.Refused)
            return LockedOut("token ");
        if (!policy.IsNone)
        {
            var (decrypted, busy) = await OnLaneAsync(Decrypt, context).ConfigureAwait(false);
            if (busy is { } refused)
                return refused;
            // An empty one looks like any that cannot be read.
            data = decrypted ?? [];
        }

        if (!tokens.TryGetKnown(data, out var verdict))
            verdict = await tokens.ValidateAsync(data, cancellationToken).ConfigureAwait(false);
        if (verdict.Fault == TokenFault.None)
        {
            _failedLogins.Succeeded(attempt);
            return Good(verdict);
        }

        // The gateway's own trouble is no failure of the peer.
        if (verdict.Fault is not (TokenFault.NoKeys or TokenFault.NotOffered))
            _failedLogins.Failed(attempt);
        return Refuse(verdict.Fault, verdict.Detail ?? "");

        byte[]? Decrypt() => DecryptFor(context, own => EncryptedSecret.Is(data)
            ? EncryptedSecret.TryDecrypt(policy, own, data, context.ServerNonce, out var plain)
                ? plain
                : null
            : PasswordSecret.TryDecrypt(
                policy, own.PrivateKey, data, context.ServerNonce, PasswordSecret.MaxTokenBlocks,
                out plain) ? plain : null);
    }

    /// <summary>The newer format names its algorithms itself. Source: Part 4 §7.40.6.</summary>
    private static bool IsEncryptedBy(SecurityPolicy policy, string algorithm, byte[] data) => policy.IsNone
        ? algorithm.Length == 0
        : algorithm == policy.EncryptionAlgorithmUri || (algorithm.Length == 0 && EncryptedSecret.Is(data));

    private static UserVerdict Good(in TokenVerdict verdict) => new(StatusCode.Good, verdict.Identity);

    private static UserVerdict Refuse(TokenFault fault, string detail) => Refuse(
        fault == TokenFault.NotOffered ? StatusCodes.BadIdentityTokenInvalid
            : fault == TokenFault.NoRole ? StatusCodes.BadUserAccessDenied : StatusCodes.BadIdentityTokenRejected,
        $"token ({fault}): {detail}") with
    {
        Fault = fault,
    };

    /// <summary>Without quotation marks: the lines that name a user quote him.</summary>
    private static string InWords(CertificateVerdict verdict) =>
        $"{verdict.Subject} (thumbprint {verdict.Thumbprint})".TrimStart();

    /// <summary>Queues with the handshakes. Busy: the verdict if the lane does not serve it.</summary>
    private async ValueTask<(T? Result, UserVerdict? Busy)> OnLaneAsync<T>(Func<T> work, UserTokenContext context)
    {
        if (!privateKeys.TryRunAsync(work, out var result,
            context.IsSessionActivated ? LaneClass.Live : LaneClass.Begun, context.Pass?.LaneShare,
            context.Pass?.Address.LaneShare))
            return (default, Refuse(
                StatusCodes.BadServerTooBusy, "the private-key lane is full", RefusalReason.QueueFull));
        try
        {
            return (await result.ConfigureAwait(false), null);
        }
        catch (PrivateKeyLaneBusyException)
        {
            return (default, Refuse(
                StatusCodes.BadServerTooBusy, "the private-key lane is too slow", RefusalReason.WaitedTooLong));
        }
    }

    /// <summary>The user signs the server's certificate and its last nonce. If there is a chain, clients sign either
    /// the leaf or all of it.</summary>
    private bool HasSigned(byte[] userCertificate, UserTokenContext context)
    {
        var signature = context.Signature.Signature ?? [];
        return CertificatesOf(context).Any(server => context.SecurityPolicy.VerifyAsymmetric(
                userCertificate, (byte[])[.. server.Der, .. context.ServerNonce], signature) ||
            (server.ChainBlob.Length > server.Der.Length && context.SecurityPolicy.VerifyAsymmetric(
                userCertificate, (byte[])[.. server.ChainBlob, .. context.ServerNonce], signature)));
    }

    /// <summary>Null: for none of them.</summary>
    private byte[]? DecryptFor(UserTokenContext context, Func<ApplicationCertificate, byte[]?> decrypt) =>
        CertificatesOf(context).Select(decrypt).FirstOrDefault(static secret => secret is not null);

    /// <summary>One, unless the gateway's certificate has changed since the client connected.</summary>
    private IEnumerable<ApplicationCertificate> CertificatesOf(UserTokenContext context) =>
        context.ServerCertificates.OfType<ApplicationCertificate>().Append(serverCertificate()).Distinct();

    private static UserVerdict Refuse(
        uint status, string detail, RefusalReason reason = RefusalReason.None) => new(status, null, detail, reason);

    private UserVerdict Fail(in LoginAttempt attempt, uint status, string detail)
    {
        _failedLogins.Failed(attempt);
        return Refuse(status, detail);
    }

    private static LoginAttempt AttemptOf(string user, UserTokenContext context) => new(
        user, context.RemoteEndPoint, context.ClientThumbprint, context.Pass?.IsKnownClient ?? false);

    private static UserVerdict LockedOut(string who = "") => Refuse(
        StatusCodes.BadUserAccessDenied,
        who + "failed too often, from there or from many places: few tries are looked at (Limits:FailedLoginInterval)",
        RefusalReason.LockedOut);
}
