using System.Text.Json;
using Gateway.Operations.Access;
using Gateway.Rest.Bodies;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Management;

/// <summary><c>POST /config/check</c>. Thread-safe.</summary>
internal sealed class ConfigurationEndpoints(
    IConfigurationControl control, BodyReader bodies, ManagementRequests requests)
{
    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/config/check", CheckAsync) { Operations = [ConfigurationApi.Check] }];

    private Task CheckAsync(HttpContext context) =>
        requests.RunAsync(context, GatewayPermission.ManageConfiguration, async _ =>
        {
            if (await bodies.ReadAsync(context).ConfigureAwait(false) is not { } body)
                return;
            try
            {
                // It reads files: not on the sockets' thread.
                var verdict = await Task.Run(() => control.Check(body.WrittenMemory)).ConfigureAwait(false);
                await requests.AnswerAsync(context, json => Write(json, verdict)).ConfigureAwait(false);
            }
            finally
            {
                bodies.Return(body);
            }
        });

    private static void Write(Utf8JsonWriter json, ConfigurationVerdict verdict)
    {
        json.WriteBoolean("ok", verdict.IsGood);
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
