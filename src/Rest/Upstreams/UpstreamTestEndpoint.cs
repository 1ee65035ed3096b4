using System.Text.Json;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Budgets;
using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Upstreams;

/// <summary><c>POST /upstreams/test</c>: tries a connection before it is saved. A few at one time, each within the time
/// of a request. Thread-safe.</summary>
internal sealed class UpstreamTestEndpoint(
    IUpstreamTests tests, OperationAudit audit, ManagementRequests requests, UpstreamTestPlaces places,
    RestLimits limits, TimeProvider time)
{
    private const string Expected =
        "expected an object with the texts endpointUrl and, if wanted, securityPolicy, securityMode, user, password";
    private const string RetryAfterSeconds = "5";
    private const int MaxTextLength = 1_000;

    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/upstreams/test", PostAsync) { Operations = [UpstreamTestApi.Post] }];

    private Task PostAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.TestUpstreams, async (caller, body) =>
        {
            var request = Read(body.WrittenMemory);
            if (request is null || tests.Check(request) is { Count: > 0 })
            {
                await Problem.WriteAsync(
                    context, StatusCodes.BadInvalidArgument,
                    request is null ? Expected : string.Join("; ", tests.Check(request))).ConfigureAwait(false);
                return;
            }

            if (!places.TryEnter())
            {
                context.Response.Headers.RetryAfter = RetryAfterSeconds;
                await Problem.WriteAsync(
                    context, 429, "Too many connections are being tried", StatusCodes.BadTooManyOperations)
                    .ConfigureAwait(false);
                return;
            }

            try
            {
                await TryAsync(context, caller, request).ConfigureAwait(false);
            }
            finally
            {
                places.Leave();
            }
        });

    private async Task TryAsync(HttpContext context, Caller caller, UpstreamTestRequest request)
    {
        // Shorter than the request's own time: the answer says then which step took too long.
        using var late = new CancellationTokenSource(limits.HttpRequestTimeout * 0.8, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(late.Token, context.RequestAborted);
        IReadOnlyList<UpstreamTestStep> steps;
        try
        {
            steps = await tests.TryAsync(request, ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!context.RequestAborted.IsCancellationRequested)
        {
            steps =
            [
                new("reach", "fault", "It does not answer in time.", "Check the address and the network.", default),
            ];
        }
        catch (OperationCanceledException)
        {
            // Its user has left: what was tried is told all the same.
            Audit(caller, request, StatusCodes.BadRequestCancelledByClient);
            throw;
        }

        var isOk = steps.All(static one => one.State != "fault");
        Audit(caller, request, isOk ? StatusCode.Good : StatusCodes.BadNoCommunication);
        await requests.AnswerAsync(context, json => Write(json, steps, isOk)).ConfigureAwait(false);
    }

    private void Audit(Caller caller, UpstreamTestRequest request, StatusCode status) => audit.Managed(
        AuditEvent.UpstreamTested, caller, status,
        $"tried \"{PeerText.Escape(request.EndpointUrl, MaxTextLength)}\"");

    private static void Write(Utf8JsonWriter json, IReadOnlyList<UpstreamTestStep> steps, bool isOk)
    {
        json.WriteBoolean("ok", isOk);
        json.WriteStartArray("steps");
        foreach (var step in steps)
        {
            json.WriteStartObject();
            json.WriteString("step", step.Step);
            json.WriteString("state", step.State);
            json.WriteString("words", step.Words);
            if (step.Remedy.Length > 0)
                json.WriteString("remedy", step.Remedy);
            if (step.Took > TimeSpan.Zero)
                json.WriteNumber("ms", Math.Round(step.Took.TotalMilliseconds));
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Null: it is no such object.</summary>
    private static UpstreamTestRequest? Read(ReadOnlyMemory<byte> body)
    {
        try
        {
            using var json = JsonDocument.Parse(body);
            string Text(string name) => !json.RootElement.TryGetProperty(name, out var value) ? ""
                : value.ValueKind == JsonValueKind.String ? value.GetString() ?? ""
                : throw new JsonException();
            if (json.RootElement.ValueKind != JsonValueKind.Object)
                return null;
            var request = new UpstreamTestRequest(
                Text("endpointUrl"), Text("securityPolicy"), Text("securityMode"), Text("user"), Text("password"));
            return request.EndpointUrl.Length is 0 or > MaxTextLength ? null : request;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}
