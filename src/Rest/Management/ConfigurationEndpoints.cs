using System.Text.Json;
using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>POST /config/check</c>, <c>POST /config/reload</c>, <c>GET /config/reload</c>. Thread-safe.</summary>
internal sealed class ConfigurationEndpoints(
    IConfigurationControl control, BodyReader bodies, OperationAudit audit, ManagementRequests requests)
{
    public IEnumerable<RestRoute> Routes =>
    [
        new("POST", "/config/check", CheckAsync) { Operations = [ConfigurationApi.Check] },
        new("POST", "/config/reload", ReloadAsync) { Operations = [ConfigurationApi.Reload] },
        new("GET", "/config/reload", LastAsync) { Operations = [ConfigurationApi.Last] },
    ];

    /// <summary>It goes on though its client goes: half of a configuration would be in force.</summary>
    private Task ReloadAsync(HttpContext context) =>
        requests.RunAsync(context, GatewayPermission.ManageConfiguration, async caller =>
        {
            var reload = await Task.Run(() => control.ReloadAsync(caller.Identity?.DisplayName ?? "an operator"))
                .ConfigureAwait(false);
            reload.Tell(audit, caller);
            if (reload.IsApplied)
                await requests.AnswerAsync(context, json => Write(json, reload)).ConfigureAwait(false);
            else
                await Problem.WriteAsync(
                    context, 409, ConfigurationApi.Wrong, StatusCodes.BadConfigurationError,
                    "errors says what is wrong", json => Write(json, reload)).ConfigureAwait(false);
        });

    private Task LastAsync(HttpContext context) =>
        requests.RunAsync(context, GatewayPermission.ReadConfiguration, _ => control.Last is { } last
            ? requests.AnswerAsync(context, json => Write(json, last))
            : Problem.WriteAsync(context, 404, ConfigurationApi.None, StatusCodes.BadNotFound));

    private Task CheckAsync(HttpContext context) =>
        requests.RunAsync(context, GatewayPermission.ManageConfiguration, async _ =>
        {
            if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
                return;
            try
            {
                // It reads files: not on the sockets' thread.
                var verdict = await Task.Run(() => control.CheckAsync(body.WrittenMemory)).ConfigureAwait(false);
                await requests.AnswerAsync(context, json => Write(json, verdict)).ConfigureAwait(false);
            }
            finally
            {
                bodies.Return(body);
            }
        });

    private static void Write(Utf8JsonWriter json, ConfigurationReload reload)
    {
        json.WriteString("at", reload.At);
        json.WriteString("by", PeerText.Escape(reload.By));
        json.WriteBoolean("applied", reload.IsApplied);
        WriteVerdict(json, reload.Verdict);
        if (reload.Verdict.Faults.Count == 0)
            return;
        json.WriteStartArray("faults");
        foreach (var fault in reload.Verdict.Faults)
            Write(json, fault);
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, ConfigurationVerdict verdict)
    {
        json.WriteBoolean("ok", verdict.IsGood);
        WriteVerdict(json, verdict);
    }

    private static void WriteVerdict(Utf8JsonWriter json, ConfigurationVerdict verdict)
    {
        json.WriteBoolean("restart", verdict.Changes.Any(static change => change.NeedsRestart));
        json.WriteStartArray("errors");
        foreach (var error in verdict.Errors)
            Write(json, error);
        json.WriteEndArray();
        json.WriteStartArray("warnings");
        foreach (var warning in verdict.Warnings)
            json.WriteStringValue(warning);
        json.WriteEndArray();
        json.WriteStartArray("changes");
        foreach (var change in verdict.Changes)
            Write(json, change);
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, ConfigurationFault error)
    {
        json.WriteStartObject();
        if (error.Key.Length > 0)
            json.WriteString("key", error.Key);
        json.WriteString("problem", error.Problem);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, ConfigurationChange change)
    {
        json.WriteStartObject();
        json.WriteString("key", change.Key);
        if (change.From is { } from)
            json.WriteString("from", from);
        if (change.To is { } to)
            json.WriteString("to", to);
        if (change.IsSecret)
            json.WriteBoolean("secret", true);
        if (change.NeedsRestart)
            json.WriteBoolean("restart", true);
        json.WriteEndObject();
    }
}
