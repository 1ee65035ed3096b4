using System.Text.Json;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Budgets;
using Gateway.Rest.Management;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Upstreams;

/// <summary>Tries connections before they are saved: a few at one time, each within the time of a request, each on
/// record. Thread-safe.</summary>
internal sealed class ConnectionTrials(
    OperationAudit audit, ManagementRequests requests, UpstreamTestPlaces places, RestLimits limits, TimeProvider time)
{
    private const string RetryAfterSeconds = "5";
    private const int MaxAddressLength = 1_000;

    /// <param name="context">Of the request.</param>
    /// <param name="read">Makes a trial of the texts of a JSON object.</param>
    /// <param name="address">The name of the text that says where to: it has to be there.</param>
    /// <param name="expected">The object, in words.</param>
    public Task RunAsync(
        HttpContext context, Func<Func<string, string>, ConnectionTrial> read, string address, string expected) =>
        requests.RunAsync(context, GatewayPermission.TestUpstreams, async (caller, body) =>
        {
            var trial = Read(body.WrittenMemory, read, address);
            if (trial is null || trial.Faults.Count > 0)
            {
                await Problem.WriteAsync(
                    context, StatusCodes.BadInvalidArgument,
                    trial is null ? expected : string.Join("; ", trial.Faults)).ConfigureAwait(false);
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
                await TryAsync(context, caller, trial).ConfigureAwait(false);
            }
            finally
            {
                places.Leave();
            }
        });

    private async Task TryAsync(HttpContext context, Caller caller, ConnectionTrial trial)
    {
        // Shorter than the request's own time: the answer says then which step took too long.
        using var late = new CancellationTokenSource(limits.HttpRequestTimeout * 0.8, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(late.Token, context.RequestAborted);
        IReadOnlyList<UpstreamTestStep> steps;
        try
        {
            steps = await trial.TryAsync(ended.Token).ConfigureAwait(false);
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
            Audit(caller, trial, StatusCodes.BadRequestCancelledByClient);
            throw;
        }

        var isOk = steps.All(static one => one.State != "fault");
        Audit(caller, trial, isOk ? StatusCode.Good : StatusCodes.BadNoCommunication);
        await requests.AnswerAsync(context, json => Write(json, steps, isOk)).ConfigureAwait(false);
    }

    private void Audit(Caller caller, ConnectionTrial trial, StatusCode status) => audit.Managed(
        AuditEvent.UpstreamTested, caller, status, $"tried \"{PeerText.Escape(trial.Address, MaxAddressLength)}\"");

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
    private static ConnectionTrial? Read(
        ReadOnlyMemory<byte> body, Func<Func<string, string>, ConnectionTrial> read, string address)
    {
        try
        {
            using var json = JsonDocument.Parse(body);
            string Text(string name) => !json.RootElement.TryGetProperty(name, out var value) ? ""
                : value.ValueKind == JsonValueKind.String ? value.GetString() ?? ""
                : throw new JsonException();
            var isRequest = json.RootElement.ValueKind == JsonValueKind.Object &&
                Text(address).Length is > 0 and <= MaxAddressLength;
            return isRequest ? read(Text) : null;
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}
