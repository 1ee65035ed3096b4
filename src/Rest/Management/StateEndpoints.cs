using System.Globalization;
using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Budgets;
using Gateway.Rest.Lists;
using Gateway.Rest.Routing;
using Gateway.Rest.Streams;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Management;

/// <summary><c>GET /info</c>, <c>/config</c>, <c>/limits</c>, <c>/pubsub</c>. Thread-safe.</summary>
internal sealed class StateEndpoints(
    IGatewayFacts facts, IEnumerable<IPubSubReport> pubSub, StreamBook streams, BodyReader bodies,
    AnswerSender answers, UpstreamTestPlaces tests, ManagementRequests requests)
{
    private static readonly Columns<LimitValue> LimitColumns = new(
        Columns<LimitValue>.Text("name", static one => one.Name),
        new Column<LimitValue>("inForce", static (json, one) => Write(json, "inForce", one.InForce)),
        new Column<LimitValue>("configured", static (json, one) => Write(json, "configured", one.Configured)),
        new Column<LimitValue>("default", static (json, one) => Write(json, "default", one.Default)),
        Columns<LimitValue>.Text("origin", static one => one.Origin),
        Columns<LimitValue>.NumberIfAny("use", static one => one.Use),
        Columns<LimitValue>.Text("part", static one => one.Part),
        Columns<LimitValue>.Text("bounds", static one => one.Bounds),
        Columns<LimitValue>.Text("whenItActs", static one => one.WhenItActs),
        Columns<LimitValue>.Text("remedy", static one => one.Remedy));

    private static readonly Columns<ConfigurationValue> ValueColumns = new(
        Columns<ConfigurationValue>.Text("key", static one => one.Key),
        new Column<ConfigurationValue>("value", static (json, one) =>
        {
            if (one.Value is { } value)
                json.WriteString("value", value);
        }),
        new Column<ConfigurationValue>("secret", static (json, one) =>
        {
            if (one.Value is null)
                json.WriteBoolean("secret", true);
        }),
        Columns<ConfigurationValue>.Text("origin", static one => one.Origin),
        Columns<ConfigurationValue>.Text("source", static one => one.Source),
        FlagIf("restart", static one => one.NeedsRestart),
        FlagIf("pending", static one => one.IsPending),
        Columns<ConfigurationValue>.Text("next", static one => one.Next),
        FlagIf("changed", static one => one.IsChanged),
        Columns<ConfigurationValue>.Text("before", static one => one.Before))
    {
        IsTagged = true,
    };

    /// <summary>Absent where it is not so.</summary>
    private static Column<ConfigurationValue> FlagIf(string name, Func<ConfigurationValue, bool> value) => new(
        name, (json, one) =>
        {
            if (value(one))
                json.WriteBoolean(name, true);
        });

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/info", InfoAsync) { Operations = [StateApi.Info] },
        new("GET", "/config", ConfigurationAsync) { Operations = [StateApi.Configuration] },
        new("GET", "/limits", LimitsAsync) { Operations = [StateApi.Limits] },
        new("GET", "/pubsub", PubSubAsync) { Operations = [StateApi.PubSub] },
    ];

    private Task InfoAsync(HttpContext context) => requests.AnswerTaggedAsync(
        context, GatewayPermission.ReadState, json => Write(json, facts.Info));

    private Task ConfigurationAsync(HttpContext context) => requests.ListAsync(
        context, GatewayPermission.ReadConfiguration, "values", ValueColumns,
        page => PageOf(facts.Configuration, page));

    private Task LimitsAsync(HttpContext context)
    {
        var name = context.Request.Query["name"].ToString();
        return requests.ListAsync(
            context, GatewayPermission.ReadState, "limits", LimitColumns,
            page => PageOf<LimitValue>(
                [.. facts.ReadLimits().Where(one => name.Length == 0 || one.Name == name).Select(Fill)], page));
    }

    /// <summary>The host does not know what this project holds.</summary>
    private LimitValue Fill(LimitValue limit) => limit.Name switch
    {
        nameof(RestLimits.MaxHttpStreams) => limit with { Use = streams.Count },
        nameof(RestLimits.MaxHttpBodiesBytes) => limit with { Use = bodies.HeldBytes },
        nameof(RestLimits.MaxHttpAnswersBytes) => limit with { Use = answers.HeldBytes },
        nameof(RestLimits.MaxHttpUpstreamTests) => limit with { Use = tests.UnderWay },
        _ => limit,
    };

    private Task PubSubAsync(HttpContext context) => requests.AnswerTaggedAsync(
        context, GatewayPermission.ReadState, pubSub.FirstOrDefault() is { } report ? report.Write : WriteNone);

    private static void WriteNone(Utf8JsonWriter json)
    {
        json.WriteBoolean("configured", false);
        json.WriteStartArray("connections");
        json.WriteEndArray();
        json.WriteStartArray("dataSets");
        json.WriteEndArray();
        json.WriteString("detail", "no PubSub connection is configured");
    }

    /// <summary>Of a list that does not change in number while the gateway runs: the cursor is the next index.
    /// </summary>
    private static (IReadOnlyList<T>? Entries, string? Next) PageOf<T>(IReadOnlyList<T> all, PageQuery page)
    {
        if (!SessionEndpoints.TryReadPlace(page.Cursor, out var from))
            return default;
        var next = (long)from + page.Limit;
        return (
            [.. all.Skip(from).Take(page.Limit)],
            next < all.Count ? next.ToString(CultureInfo.InvariantCulture) : null);
    }

    private static void Write(Utf8JsonWriter json, GatewayInfo info)
    {
        json.WriteString("product", info.Product);
        json.WriteString("version", info.Version);
        json.WriteString("applicationName", info.ApplicationName);
        json.WriteString("applicationUri", info.ApplicationUri);
        json.WriteString("startTime", info.StartTime);
        json.WriteString("runtime", info.Runtime);
        json.WriteString("operatingSystem", info.OperatingSystem);
        json.WriteNumber("processors", info.Processors);
        json.WriteBoolean("demo", info.IsDemo);
        json.WriteStartArray("namespaces");
        foreach (var uri in info.Namespaces)
            json.WriteStringValue(uri);
        json.WriteEndArray();
        json.WriteStartArray("endpoints");
        foreach (var endpoint in info.Endpoints)
            Write(json, endpoint);
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, EndpointDescription endpoint)
    {
        json.WriteStartObject();
        json.WriteString("url", endpoint.EndpointUrl);
        json.WriteString("transportProfile", endpoint.TransportProfileUri);
        json.WriteString("securityPolicy", endpoint.SecurityPolicyUri);
        json.WriteString("securityMode", endpoint.SecurityMode.ToString());
        json.WriteStartArray("userTokens");
        foreach (var type in (endpoint.UserIdentityTokens ?? []).Select(static token => token.TokenType).Distinct())
            json.WriteStringValue(type.ToString());
        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>A time as the configuration takes it; a number as a number.</summary>
    private static void Write(Utf8JsonWriter json, string name, object value)
    {
        switch (value)
        {
            case TimeSpan time:
                json.WriteString(name, time.ToString("c", CultureInfo.InvariantCulture));
                break;
            case double number:
                json.WriteNumber(name, number);
                break;
            default:
                json.WriteNumber(name, Convert.ToInt64(value, CultureInfo.InvariantCulture));
                break;
        }
    }
}
