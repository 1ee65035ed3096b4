using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>Sends requests of services, as text, to <c>/opcua</c>.</summary>
internal static class ServiceClient
{
    /// <summary>The answer's status and JSON.</summary>
    public static async Task<(int Http, JsonElement Json)> CallAsync(
        this HttpClient client, string service, string body, CancellationToken cancellationToken = default)
    {
        using var answer = await client.SendAsync(service, body, cancellationToken: cancellationToken);
        return ((int)answer.StatusCode, await RestGateway.JsonOf(answer));
    }

    public static async Task<HttpResponseMessage> SendAsync(
        this HttpClient client, string service, string body, string contentType = "application/json",
        string? accept = null, CancellationToken cancellationToken = default)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/opcua/" + service);
        request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body));
        request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(contentType);
        if (accept is not null)
            request.Headers.TryAddWithoutValidation("Accept", accept);
        return await client.SendAsync(request, cancellationToken);
    }

    /// <summary>Good is not written.</summary>
    public static uint ResultOf(this JsonElement response) => CodeOf(
        response.GetProperty("ResponseHeader"), "ServiceResult");

    /// <summary>A StatusCode in Compact; Good where there is none.</summary>
    public static uint CodeOf(this JsonElement parent, string name) =>
        parent.TryGetProperty(name, out var status) && status.TryGetProperty("Code", out var code)
            ? code.GetUInt32()
            : 0;
}
