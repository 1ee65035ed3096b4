using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Management;

/// <summary><c>GET /me</c>: who the gateway takes the caller for, and what he may do. Thread-safe.</summary>
internal sealed class MeEndpoint(IGatewayFacts facts, ManagementRequests requests, TimeProvider time)
{
    private const int MaxNameLength = 1000;

    public IEnumerable<RestRoute> Routes => [new("GET", "/me", GetAsync) { Operations = [MeApi.Get] }];

    private Task GetAsync(HttpContext context) => requests.RunAsync(context, caller => requests.AnswerAsync(
        context, json => Write(json, caller, context.Request.Scheme)));

    private void Write(Utf8JsonWriter json, Caller caller, string scheme)
    {
        var user = caller.Identity;
        json.WriteString("name", PeerText.EscapeLine(user?.DisplayName ?? "", MaxNameLength));
        json.WriteString("kind", MeApi.NameOf(user?.Kind ?? UserKind.Anonymous));
        json.WriteStartArray("roles");
        foreach (var role in Enum.GetValues<Roles>())
        {
            if (role != Roles.None && caller.Roles.HasFlag(role))
                json.WriteStringValue(role.ToString());
        }

        json.WriteEndArray();
        json.WriteStartArray("permissions");
        foreach (var permission in Enum.GetValues<GatewayPermission>())
        {
            if (!AccessPolicy.Check(caller, permission).IsBad)
                json.WriteStringValue(MeApi.NameOf(permission));
        }

        json.WriteEndArray();
        var nodes = AccessPolicy.DefaultsOf(caller.Roles);
        json.WriteBoolean("canWrite", nodes.HasFlag(PermissionType.Write));
        json.WriteBoolean("canCall", nodes.HasFlag(PermissionType.Call));
        json.WriteString("door", scheme);
        json.WriteString("address", caller.Address);
        if (user?.TimeLeft(time) is { } left && left != Timeout.InfiniteTimeSpan)
            json.WriteString("expiresAt", (time.GetUtcNow() + left).UtcDateTime);
        json.WriteBoolean("demo", facts.IsDemo);
    }
}
