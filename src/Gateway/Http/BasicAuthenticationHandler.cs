using System.Net;
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
/// Authenticates one request by Basic, with the same check as for UA sessions, off this thread. 401 asks for
/// credentials; 429 and 503 carry a retry hint. No answer says more about the reason (R17), and refusals leave after
/// fixed times as for UA sessions (R13). Ignores credentials on paths that need no user, so that an attacker cannot
/// guess there. Owner: ASP.NET Core, one for each request.
/// </summary>
internal sealed class BasicAuthenticationHandler(
    DemoOptions demo, PasswordLogins logins, AdmissionControl admission, TransportContext transport)
    : IAuthenticationHandler
{
    private const string Challenge = "Basic realm=\"gateway\", charset=\"UTF-8\"";

    private AuthenticationScheme _scheme = null!;
    private HttpContext _context = null!;
    private Task<AuthenticateResult>? _result;
    private Decision _decision;

    public Task InitializeAsync(AuthenticationScheme scheme, HttpContext context)
    {
        (_scheme, _context) = (scheme, context);
        return Task.CompletedTask;
    }

    public Task<AuthenticateResult> AuthenticateAsync() => _result ??= CheckAsync();

    public Task ChallengeAsync(AuthenticationProperties? properties)
    {
        var response = _context.Response;
        if (_decision.Reason == RefusalReason.None)
        {
            response.Headers.WWWAuthenticate = Challenge;
            return Problem.WriteAsync(
                _context, StatusCodes.Status401Unauthorized, "A user and password are needed",
                UaStatusCodes.BadIdentityTokenRejected);
        }
        return Problem.WriteAsync(_context, _decision, _decision.Reason == RefusalReason.LockedOut
            ? "Too many failed logins"
            : "Too busy to check a password");
    }

    public Task ForbidAsync(AuthenticationProperties? properties) =>
        Problem.WriteAsync(_context, UaStatusCodes.BadUserAccessDenied);

    private async Task<AuthenticateResult> CheckAsync()
    {
        if (_context.GetEndpoint()?.Metadata.GetMetadata<IAuthorizeData>() is null)
            return AuthenticateResult.NoResult();
        var header = _context.Request.Headers.Authorization;
        if (header.Count == 0)
            return DemoAccess.IsAllowed(demo, _context) ? Succeed(DemoAccess.User) : AuthenticateResult.NoResult();
        var failures = transport.Failures;
        var since = failures.Begin();
        var result = await CheckAsync(header).ConfigureAwait(false);
        if (!result.Succeeded)
            await failures.WaitAsync(since).AsTask().WaitAsync(_context.RequestAborted).ConfigureAwait(false);
        return result;
    }

    private async Task<AuthenticateResult> CheckAsync(StringValues header)
    {
        if (header.Count > 1 || !BasicCredentials.TryParse(header.ToString(), out var credentials))
            return AuthenticateResult.Fail("no credentials that can be read");
        var address = RemoteAddress();
        var verdict = await logins.CheckAsync(
            credentials.Value.User, credentials.Value.Password, address, _context.RequestAborted).ConfigureAwait(false);
        if (verdict.Identity is { } user)
            return Succeed(user);
        if (verdict.Reason != RefusalReason.None)
            _decision = admission.Refuse(
                AdmissionStage.Http, verdict.Reason, address?.ToString() ?? "", null, verdict.DetailWithUser);
        return AuthenticateResult.Fail("refused");
    }

    private AuthenticateResult Succeed(UserIdentity user)
    {
        admission.Stages.Admit(AdmissionStage.Http);
        _context.Features.Set(user);
        var claims = new List<Claim> { new(ClaimTypes.Name, user.DisplayName) };
        foreach (var role in Enum.GetValues<Roles>())
        {
            if (role != Roles.None && user.Roles.HasFlag(role))
                claims.Add(new Claim(ClaimTypes.Role, role.ToString()));
        }
        var principal = new ClaimsPrincipal(new ClaimsIdentity(claims, _scheme.Name));
        return AuthenticateResult.Success(new AuthenticationTicket(principal, _scheme.Name));
    }

    private IPAddress? RemoteAddress()
    {
        var address = _context.Connection.RemoteIpAddress;
        return address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address;
    }
}
