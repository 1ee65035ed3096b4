using System.Globalization;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Host.Configuration;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Server.Users;
using Microsoft.Extensions.Primitives;
using TransportContext = Gateway.Transport.Hosting.TransportContext;
using UaStatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Host.Http;

/// <summary>
/// A request's user, by Basic, Bearer or the certificate of a TLS client, checked as at the UA side, off this thread.
/// 401 asks for credentials, 429 and 503 say when to try again; none says why beyond that (R17), but for what is wrong
/// with a token. Refusals leave in whole steps as at the UA side (R13). Looks at no secret that came in clear text from
/// another machine. It stands around the paths that ask for a user, so that the open ones are no place to guess at.
/// ASP.NET Core's own steps for this take a fifth of the time of a read of one value. Thread-safe.
/// </summary>
internal sealed class UserCheck(
    DemoOptions demo, HttpOptions http, UserLogins logins, ITokenValidator tokens, AdmissionControl admission,
    TransportContext transport) : IUserCheck
{
    private const string BasicChallenge = "Basic realm=\"gateway\", charset=\"UTF-8\"";
    private const string BearerChallenge = "Bearer realm=\"gateway\"";
    private const string KeysRetrySeconds = "5";
    private const string PlainSentence = "Passwords and tokens of other machines need https: configure "
        + "Http:Tls:CertificatePath and Http:Tls:KeyPath, or put a TLS proxy on the gateway's machine. "
        + "Http:AllowInsecureLogin takes them in clear text";

    /// <summary>The reason of a refused login; a feature of the request.</summary>
    private sealed record Refusal(Decision Decision, TokenFault Fault);

    /// <summary>Puts the check in front of a path's answer.</summary>
    /// <param name="answer">To a user.</param>
    /// <param name="isOptional">Anybody gets the answer, with a user or without.</param>
    public RequestDelegate Around(RequestDelegate answer, bool isOptional) => context =>
    {
        var check = CheckAsync(context);
        if (!check.IsCompletedSuccessfully)
            return WaitAsync(context, check, answer, isOptional);
        return check.Result || isOptional ? answer(context) : RefuseAsync(context);
    };

    public ValueTask<bool> CheckAsync(HttpContext context)
    {
        var header = context.Request.Headers.Authorization;
        // Without TLS there is none to look for.
        var certificate = context.Request.IsHttps ? context.Connection.ClientCertificate : null;
        if (header.Count > 0 || certificate is not null)
            return CheckAsync(context, header, certificate);
        return new(DemoAccess.IsAllowed(demo, context) && LetIn(context, DemoAccess.User));
    }

    public Task RefuseAsync(HttpContext context)
    {
        var refusal = context.Features.Get<Refusal>();
        if (refusal is { Decision.Reason: not RefusalReason.None })
            return Problem.WriteAsync(context, refusal.Decision, refusal.Decision.Reason == RefusalReason.LockedOut
                ? "Too many failed logins"
                : "Too busy to check a password");
        if (IsPlain(context))
            return Problem.WriteAsync(context, UaStatusCodes.BadSecurityModeInsufficient, PlainSentence);
        if (refusal is { Fault: not TokenFault.None })
            return RefuseTokenAsync(context, refusal.Fault);
        context.Response.Headers.WWWAuthenticate = tokens.IsOffered
            ? new StringValues([BasicChallenge, BearerChallenge])
            : BasicChallenge;
        return Problem.WriteAsync(
            context, StatusCodes.Status401Unauthorized, "A user and password are needed",
            UaStatusCodes.BadIdentityTokenRejected);
    }

    private async Task WaitAsync(
        HttpContext context, ValueTask<bool> check, RequestDelegate answer, bool isOptional)
    {
        if (await check.ConfigureAwait(false) || isOptional)
            await answer(context).ConfigureAwait(false);
        else
            await RefuseAsync(context).ConfigureAwait(false);
    }

    private async ValueTask<bool> CheckAsync(
        HttpContext context, StringValues header, X509Certificate2? certificate)
    {
        var address = RemoteAddress(context);
        if (IsPlain(context))
        {
            admission.Refuse(
                AdmissionStage.Http, RefusalReason.SecurityRefused, address?.ToString() ?? "", null,
                "a password or token over plain HTTP (Http:Tls:CertificatePath, Http:AllowInsecureLogin)");
            return false;
        }

        var failures = transport.Failures;
        var since = failures.Begin();
        var verdict = header.Count > 0
            ? await JudgeAsync(header, address, context.RequestAborted).ConfigureAwait(false)
            : await logins.CheckCertificateAsync(certificate!.RawData, address, context.RequestAborted)
                .ConfigureAwait(false);
        if (verdict.Identity is { } user)
            return LetIn(context, user);
        var decision = verdict.Reason == RefusalReason.None
            ? default
            : admission.Refuse(
                AdmissionStage.Http, verdict.Reason, address?.ToString() ?? "", null, verdict.DetailWithUser);
        context.Features.Set(new Refusal(decision, verdict.Fault));
        await failures.WaitAsync(since).AsTask().WaitAsync(context.RequestAborted).ConfigureAwait(false);
        return false;
    }

    /// <summary>No user and no reason: nothing that could be looked at.</summary>
    private ValueTask<UserVerdict> JudgeAsync(StringValues header, IPAddress? address, CancellationToken gone)
    {
        if (header.Count > 1)
            return default;
        var text = header.ToString();
        if (BearerToken.Is(text))
            return tokens.IsOffered ? logins.CheckTokenAsync(BearerToken.Of(text), address, gone) : default;
        return BasicCredentials.TryParse(text, out var credentials)
            ? logins.CheckAsync(credentials.Value.User, credentials.Value.Password, address, gone)
            : default;
    }

    private bool LetIn(HttpContext context, UserIdentity user)
    {
        admission.Stages.Admit(AdmissionStage.Http);
        context.Features.Set(user);
        return true;
    }

    /// <summary>A secret that somebody on the way could read. A proxy on this machine is trusted with its own side.
    /// </summary>
    private bool IsPlain(HttpContext context) => !context.Request.IsHttps && !http.AllowInsecureLogin &&
        RemoteAddress(context) is { } address && !IPAddress.IsLoopback(address);

    /// <summary>Source: RFC 6750 §3.</summary>
    private static Task RefuseTokenAsync(HttpContext context, TokenFault fault)
    {
        var response = context.Response;
        var (status, error, sentence) = BearerToken.AnswerTo(fault);
        if (status == StatusCodes.Status503ServiceUnavailable)
            response.Headers.RetryAfter = KeysRetrySeconds;
        else
            response.Headers.WWWAuthenticate = string.Create(
                CultureInfo.InvariantCulture,
                $"{BearerChallenge}, error=\"{error}\", error_description=\"{sentence}\"");
        return Problem.WriteAsync(
            context, status, "The token is not accepted",
            status == StatusCodes.Status403Forbidden ? UaStatusCodes.BadUserAccessDenied
                : status == StatusCodes.Status503ServiceUnavailable ? UaStatusCodes.BadServerTooBusy
                : UaStatusCodes.BadIdentityTokenRejected, sentence);
    }

    private static IPAddress? RemoteAddress(HttpContext context)
    {
        var address = context.Connection.RemoteIpAddress;
        return address is { IsIPv4MappedToIPv6: true } ? address.MapToIPv4() : address;
    }
}
