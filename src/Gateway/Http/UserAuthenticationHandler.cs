using System.Globalization;
using System.Net;
using System.Runtime.CompilerServices;
using System.Security.Claims;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Host.Configuration;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Server.Users;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.Primitives;
using TransportContext = Gateway.Transport.Hosting.TransportContext;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Host.Http;

/// <summary>
/// One request's user, by Basic, Bearer or the certificate of a TLS client, checked as at the UA side, off this thread.
/// 401 asks for credentials, 429 and 503 say when to try again; none says why beyond that (R17), but for what is wrong
/// with a token. Refusals leave in whole steps as at the UA side (R13). Looks at nothing where a path asks for no user,
/// so that the open paths are no place to guess at, and at no secret that came in clear text from another machine.
/// Owner: ASP.NET Core, one a request.
/// </summary>
internal sealed class UserAuthenticationHandler(
    DemoOptions demo, HttpOptions http, UserLogins logins, ITokenValidator tokens, AdmissionControl admission,
    TransportContext transport) : IAuthenticationHandler
{
    private const string BasicChallenge = "Basic realm=\"gateway\", charset=\"UTF-8\"";
    private const string BearerChallenge = "Bearer realm=\"gateway\"";
    private const string KeysRetrySeconds = "5";
    private const string PlainSentence = "Passwords and tokens of other machines need https: configure "
        + "Http:Tls:CertificatePath and Http:Tls:KeyPath, or put a TLS proxy on the gateway's machine. "
        + "Http:AllowInsecureLogin takes them in clear text";

    /// <summary>Of each user once: nothing of a request is in it.</summary>
    private static readonly ConditionalWeakTable<UserIdentity, AuthenticateResult> Results = new();

    private HttpContext _context = null!;
    private Task<AuthenticateResult>? _result;
    private Decision _decision;
    private TokenFault _fault;

    public Task InitializeAsync(AuthenticationScheme scheme, HttpContext context)
    {
        _context = context;
        return Task.CompletedTask;
    }

    public Task<AuthenticateResult> AuthenticateAsync() => _result ??= CheckAsync();

    public Task ChallengeAsync(AuthenticationProperties? properties)
    {
        if (_decision.Reason != RefusalReason.None)
            return Problem.WriteAsync(_context, _decision, _decision.Reason == RefusalReason.LockedOut
                ? "Too many failed logins"
                : "Too busy to check a password");
        if (IsPlain())
            return Problem.WriteAsync(_context, UaStatusCodes.BadSecurityModeInsufficient, PlainSentence);
        if (_fault != TokenFault.None)
            return RefuseTokenAsync();
        _context.Response.Headers.WWWAuthenticate = tokens.IsOffered
            ? new StringValues([BasicChallenge, BearerChallenge])
            : BasicChallenge;
        return Problem.WriteAsync(
            _context, StatusCodes.Status401Unauthorized, "A user and password are needed",
            UaStatusCodes.BadIdentityTokenRejected);
    }

    public Task ForbidAsync(AuthenticationProperties? properties) =>
        Problem.WriteAsync(_context, UaStatusCodes.BadUserAccessDenied);

    private async Task<AuthenticateResult> CheckAsync()
    {
        if (_context.GetEndpoint()?.Metadata.GetMetadata<IAuthorizeData>() is null)
            return AuthenticateResult.NoResult();
        var header = _context.Request.Headers.Authorization;
        var certificate = _context.Connection.ClientCertificate;
        if (header.Count == 0 && certificate is null)
            return DemoAccess.IsAllowed(demo, _context) ? Succeed(DemoAccess.User) : AuthenticateResult.NoResult();
        if (IsPlain())
        {
            admission.Refuse(
                AdmissionStage.Http, RefusalReason.SecurityRefused, RemoteAddress()?.ToString() ?? "", null,
                "a password or token over plain HTTP (Http:Tls:CertificatePath, Http:AllowInsecureLogin)");
            return AuthenticateResult.Fail("in clear text");
        }

        var failures = transport.Failures;
        var since = failures.Begin();
        var result = header.Count > 0
            ? await CheckAsync(header).ConfigureAwait(false)
            : Judge(await logins.CheckCertificateAsync(
                certificate!.RawData, RemoteAddress(), _context.RequestAborted).ConfigureAwait(false), RemoteAddress());
        if (!result.Succeeded)
            await failures.WaitAsync(since).AsTask().WaitAsync(_context.RequestAborted).ConfigureAwait(false);
        return result;
    }

    /// <summary>A secret that somebody on the way could read. A proxy on this machine is trusted with its own side.
    /// </summary>
    private bool IsPlain() => !_context.Request.IsHttps && !http.AllowInsecureLogin &&
        RemoteAddress() is { } address && !IPAddress.IsLoopback(address);

    private async Task<AuthenticateResult> CheckAsync(StringValues header)
    {
        if (header.Count > 1)
            return AuthenticateResult.Fail("two credentials");
        var address = RemoteAddress();
        var text = header.ToString();
        UserVerdict verdict;
        if (BearerToken.Is(text))
        {
            if (!tokens.IsOffered)
                return AuthenticateResult.Fail("no tokens are taken here");
            verdict = await logins.CheckTokenAsync(BearerToken.Of(text), address, _context.RequestAborted)
                .ConfigureAwait(false);
        }
        else
        {
            if (!BasicCredentials.TryParse(text, out var credentials))
                return AuthenticateResult.Fail("no credentials that can be read");
            verdict = await logins.CheckAsync(
                credentials.Value.User, credentials.Value.Password, address, _context.RequestAborted)
                .ConfigureAwait(false);
        }

        return Judge(verdict, address);
    }

    private AuthenticateResult Judge(in UserVerdict verdict, IPAddress? address)
    {
        if (verdict.Identity is { } user)
            return Succeed(user);
        _fault = verdict.Fault;
        if (verdict.Reason != RefusalReason.None)
            _decision = admission.Refuse(
                AdmissionStage.Http, verdict.Reason, address?.ToString() ?? "", null, verdict.DetailWithUser);
        return AuthenticateResult.Fail("refused");
    }

    /// <summary>Source: RFC 6750 §3.</summary>
    private Task RefuseTokenAsync()
    {
        var response = _context.Response;
        var (status, error, sentence) = BearerToken.AnswerTo(_fault);
        if (status == StatusCodes.Status503ServiceUnavailable)
            response.Headers.RetryAfter = KeysRetrySeconds;
        else
            response.Headers.WWWAuthenticate = string.Create(
                CultureInfo.InvariantCulture,
                $"{BearerChallenge}, error=\"{error}\", error_description=\"{sentence}\"");
        return Problem.WriteAsync(
            _context, status, "The token is not accepted",
            status == StatusCodes.Status403Forbidden ? UaStatusCodes.BadUserAccessDenied
                : status == StatusCodes.Status503ServiceUnavailable ? UaStatusCodes.BadServerTooBusy
                : UaStatusCodes.BadIdentityTokenRejected, sentence);
    }

    private AuthenticateResult Succeed(UserIdentity user)
    {
        admission.Stages.Admit(AdmissionStage.Http);
        _context.Features.Set(user);
        return Results.GetValue(user, Make);
    }

    private static AuthenticateResult Make(UserIdentity user)
    {
        var claims = new List<Claim> { new(ClaimTypes.Name, user.DisplayName) };
        foreach (var role in Enum.GetValues<Roles>())
        {
            if (role != Roles.None && user.Roles.HasFlag(role))
                claims.Add(new Claim(ClaimTypes.Role, role.ToString()));
        }
        var principal = new ClaimsPrincipal(new ClaimsIdentity(claims, UserAccess.Scheme));
        return AuthenticateResult.Success(new AuthenticationTicket(principal, UserAccess.Scheme));
    }

    private IPAddress? RemoteAddress()
    {
        var address = _context.Connection.RemoteIpAddress;
        return address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address;
    }
}
