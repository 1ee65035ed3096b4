using System.Net;
using System.Text.Json;
using Gateway.Testing;

namespace Gateway.Tests.Rest;

/// <summary>Server-Sent Events, read as an EventSource reads them.</summary>
internal sealed class EventReader : IDisposable
{
    private readonly HttpResponseMessage _answer;
    private readonly StreamReader _lines;
    private readonly Queue<JsonElement> _entries = new();

    private EventReader(HttpResponseMessage answer, Stream body) =>
        (_answer, _lines) = (answer, new StreamReader(body));

    /// <summary>Of what <see cref="EntryAsync"/> has read.</summary>
    public string? LastId { get; private set; }

    public long Skipped { get; private set; }

    public static async Task<EventReader> OpenAsync(
        HttpClient client, string query, string[] nodes, string? lastId = null)
    {
        return await OfAsync(await RequestAsync(client, query, nodes, lastId));
    }

    /// <summary>Of an answer whose head has come.</summary>
    public static async Task<EventReader> OfAsync(HttpResponseMessage answer)
    {
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal("text/event-stream", answer.Content.Headers.ContentType!.MediaType);
        return new EventReader(answer, await answer.Content.ReadAsStreamAsync());
    }

    /// <summary>Of events and alarms.</summary>
    public static async Task<EventReader> OpenEventsAsync(HttpClient client, string query, string? lastId = null) =>
        await OfAsync(await RequestAsync(client, "/api/v1/events?" + query, lastId));

    /// <summary>The head of the answer.</summary>
    public static Task<HttpResponseMessage> RequestAsync(
        HttpClient client, string query, string[] nodes, string? lastId = null) =>
        RequestAsync(client, RestGateway.Query("/api/v1/stream", nodes) + "&" + query, lastId);

    private static async Task<HttpResponseMessage> RequestAsync(HttpClient client, string path, string? lastId)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (lastId is not null)
            request.Headers.Add("Last-Event-ID", lastId);
        return await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead).WaitAsync(Patience.Limit);
    }

    /// <summary>The next line; null at the end.</summary>
    public Task<string?> LineAsync() => _lines.ReadLineAsync().WaitAsync(Patience.Limit);

    /// <summary>The next event; comments and retry times are passed over. Null at the end.</summary>
    public async Task<(string Id, JsonElement Json)?> TryNextAsync()
    {
        var fields = new Dictionary<string, string>();
        while (await LineAsync() is { } line)
        {
            if (line.Length == 0 && fields.TryGetValue("data", out var data))
            {
                using var document = JsonDocument.Parse(data);
                // The name of an event of the stream is that of its list.
                Assert.True(fields["event"] is "values" or "events");
                Assert.True(document.RootElement.TryGetProperty(fields["event"], out _));
                return (fields["id"], document.RootElement.Clone());
            }

            var colon = line.IndexOf(": ", StringComparison.Ordinal);
            if (colon > 0)
                fields[line[..colon]] = line[(colon + 2)..];
        }

        return null;
    }

    public async Task<(string Id, JsonElement Json)> NextAsync()
    {
        var next = await TryNextAsync();
        Assert.NotNull(next);
        return next.Value;
    }

    /// <summary>The next event's entries, as they stand there.</summary>
    public async Task<string> TextAsync() => (await NextAsync()).Json.GetProperty("values").GetRawText();

    /// <summary>The only value of the next event.</summary>
    public async Task<int> NumberAsync() =>
        Assert.Single((await NextAsync()).Json.GetProperty("values").EnumerateArray()).GetProperty("value").GetInt32();

    /// <summary>The next event or mark of a refresh for which this holds; others are passed over.</summary>
    public async Task<JsonElement> EntryAsync(Func<JsonElement, bool> isIt)
    {
        while (true)
        {
            while (_entries.TryDequeue(out var entry))
            {
                if (isIt(entry))
                    return entry;
            }

            var (id, json) = await NextAsync();
            LastId = id;
            Skipped += json.GetProperty("skipped").GetInt64();
            foreach (var entry in json.GetProperty("events").EnumerateArray())
                _entries.Enqueue(entry);
        }
    }

    public void Dispose()
    {
        _lines.Dispose();
        _answer.Dispose();
    }
}
