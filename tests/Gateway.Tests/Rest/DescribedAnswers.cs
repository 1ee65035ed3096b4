using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Gateway.Tests.Rest;

/// <summary>Holds each answer that a test gets to the OpenAPI documents: its status, its content type and the
/// StatusCode of a problem are described. A test that meets an answer which no document names fails.</summary>
/// <param name="server">Where the documents are.</param>
internal sealed class DescribedAnswers(Uri server) : DelegatingHandler(new SocketsHttpHandler())
{
    private const string Problem = "application/problem+json";

    private static readonly string[] Roots = ["/api/v1", "/opcua"];

    private sealed record Operation(string Method, Regex Path, JsonElement Responses);

    private Task<Operation[]>? _operations;

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var answer = await base.SendAsync(request, cancellationToken);
        var (path, method) = (request.RequestUri!.AbsolutePath, request.Method.Method);
        // A wrong login is no business of the documents' reader here: it has the same one.
        if (answer.StatusCode == System.Net.HttpStatusCode.Unauthorized || path.EndsWith("/openapi.json"))
            return answer;
        var all = await (_operations ??= ReadAsync(request, cancellationToken));
        if (all.LastOrDefault(one => one.Method == method && one.Path.IsMatch(path)) is { } operation)
            await CheckAsync(answer, operation.Responses, $"{method} {path}", cancellationToken);
        return answer;
    }

    private static async Task CheckAsync(
        HttpResponseMessage answer, JsonElement responses, string asked, CancellationToken cancellationToken)
    {
        var status = ((int)answer.StatusCode).ToString(CultureInfo.InvariantCulture);
        Assert.True(responses.TryGetProperty(status, out var response), $"{asked}: {status} is not described");
        if (answer.Content.Headers.ContentType?.MediaType is not { } type)
            return;
        Assert.True(
            response.TryGetProperty("content", out var content) && content.TryGetProperty(type, out var described),
            $"{asked}: {status} as {type} is not described");
        if (type != Problem || !content.GetProperty(type).TryGetProperty("examples", out var examples))
            return;
        await answer.Content.LoadIntoBufferAsync(cancellationToken);
        using var problem = JsonDocument.Parse(await answer.Content.ReadAsStringAsync(cancellationToken));
        var code = problem.RootElement.GetProperty("statusCode").GetString()!;
        Assert.True(examples.TryGetProperty(code, out _), $"{asked}: {status} with {code} is not described");
    }

    private async Task<Operation[]> ReadAsync(HttpRequestMessage like, CancellationToken cancellationToken)
    {
        var operations = new List<Operation>();
        foreach (var root in Roots)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(server, root + "/openapi.json"));
            request.Headers.Authorization = like.Headers.Authorization;
            using var answer = await base.SendAsync(request, cancellationToken);
            answer.EnsureSuccessStatusCode();
            using var document = JsonDocument.Parse(await answer.Content.ReadAsStringAsync(cancellationToken));
            foreach (var path in document.RootElement.GetProperty("paths").EnumerateObject())
            {
                foreach (var operation in path.Value.EnumerateObject())
                    operations.Add(new Operation(
                        operation.Name.ToUpperInvariant(), Pattern(root + path.Name),
                        operation.Value.GetProperty("responses").Clone()));
            }
        }

        return [.. operations];
    }

    private static Regex Pattern(string path) => new(
        $"^{Regex.Replace(Regex.Escape(path), @"\\\{[^}]*\}", ".+")}$", RegexOptions.CultureInvariant);
}
