using System.Security.Cryptography.X509Certificates;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Gateway.Transport.Certificates.Inventory;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>POST /own-certificate/new</c>, <c>POST /own-certificate/request</c>, <c>PUT /own-certificate</c>: the
/// gateway's own certificate. Thread-safe.</summary>
internal sealed class OwnCertificateEndpoints(
    OwnCertificateRenewal renewal, OperationAudit audit, ManagementRequests requests)
{
    public IEnumerable<RestRoute> Routes =>
    [
        new("POST", "/own-certificate/new", MakeAsync) { Operations = [OwnCertificateApi.Make] },
        new("POST", "/own-certificate/request", RequestAsync) { Operations = [OwnCertificateApi.MakeRequest] },
        new("PUT", "/own-certificate", TakeAsync) { Operations = [OwnCertificateApi.Take] },
    ];

    private Task MakeAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageCertificates, async caller =>
        {
            X509Certificate2? made = null;
            // Not cut off by a client that goes: the change and its audit line belong together.
            var result = await Task.Run(() =>
            {
                var done = renewal.MakeNew(out made);
                Audit(caller, done, $"a new own certificate {made?.Thumbprint}");
                return done;
            }).ConfigureAwait(false);
            await AnswerAsync(context, result, made).ConfigureAwait(false);
        });

    private Task RequestAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageCertificates, async caller =>
        {
            var request = await Task.Run(renewal.MakeRequest).ConfigureAwait(false);
            Audit(caller, OwnCertificateResult.Done, "a signing request for the own certificate");
            await requests.AnswerAsync(context, json => json.WriteString("request", request)).ConfigureAwait(false);
        });

    private Task TakeAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ManageCertificates, async (caller, body) =>
        {
            if (UploadBody.Read(body.WrittenMemory, "certificate", out _, out var content) is { } problem)
            {
                await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, problem).ConfigureAwait(false);
                return;
            }

            X509Certificate2? taken = null;
            var result = await Task.Run(() =>
            {
                var done = renewal.TakeAnswer(content, out taken);
                Audit(caller, done, $"the signed own certificate {taken?.Thumbprint}");
                return done;
            }).ConfigureAwait(false);
            await AnswerAsync(context, result, taken).ConfigureAwait(false);
        });

    private async Task AnswerAsync(HttpContext context, OwnCertificateResult result, X509Certificate2? certificate)
    {
        if (certificate is not null)
        {
            using (certificate)
                await requests.AnswerAsync(context, json =>
                {
                    json.WriteString("thumbprint", certificate.Thumbprint);
                    json.WriteString("notAfter", certificate.NotAfter.ToUniversalTime());
                    json.WriteBoolean("inForce", result == OwnCertificateResult.Done);
                }).ConfigureAwait(false);
        }
        else if (result == OwnCertificateResult.Failed)
        {
            await Problem.WriteAsync(
                context, 500, "The PKI folders cannot be changed", StatusCodes.BadResourceUnavailable,
                "the gateway's log says why").ConfigureAwait(false);
        }
        else
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, "certificate: " + WordsOf(result))
                .ConfigureAwait(false);
        }
    }

    private static string WordsOf(OwnCertificateResult result) => result switch
    {
        OwnCertificateResult.OtherKey => "it is not for the gateway's key: sign the newest request",
        OwnCertificateResult.OtherUri =>
            "its SubjectAltName does not have the gateway's ApplicationUri: the authority has to keep it",
        OwnCertificateResult.Expired => "its time is over",
        OwnCertificateResult.NotYetValid => "its time has not begun: every client would refuse it",
        _ => "expected PEM, or Base64 of DER: the certificate, then the authorities above it",
    };

    private void Audit(Caller caller, OwnCertificateResult result, string words)
    {
        var isDone = result is OwnCertificateResult.Done or OwnCertificateResult.AtNextStart;
        audit.Managed(
            AuditEvent.CertificateMoved, caller,
            isDone ? StatusCode.Good : new StatusCode(StatusCodes.BadInvalidState),
            !isDone ? $"the own certificate stays: {result}"
                : result == OwnCertificateResult.AtNextStart ? words + " for the next start"
                : words);
    }
}
