using System.Diagnostics;
using System.Text;

namespace Gateway.Loadtest.Machine;

/// <summary>The started gateway's own figures, <c>/metrics</c> and <c>/api/v1/admission</c>; a server without them
/// gives none.</summary>
internal sealed class GatewayMetrics(string? httpUrl) : IDisposable
{
    private const string Lateness = "gateway_publish_lateness_seconds";

    private static readonly TimeSpan BetweenScrapes = TimeSpan.FromMilliseconds(250);

    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(5) };

    /// <summary>From a subscription's due time to its sweep.</summary>
    public async Task<ExposedHistogram> PublishLatenessAsync(CancellationToken cancellation) =>
        ExposedHistogram.Parse(await GetAsync("/metrics", cancellation), Lateness);

    /// <summary>One after the other, with a pause: a text that is younger than a tenth of a second is given out again
    /// and would cost nothing. Null where the server has no metrics.</summary>
    public async Task<ScrapeCost?> ScrapeAsync(int times, CancellationToken cancellation)
    {
        var (took, bytes) = (new List<double>(times), 0);
        for (var i = 0; i < times; i++)
        {
            await Task.Delay(BetweenScrapes, cancellation);
            var started = Stopwatch.GetTimestamp();
            var text = await GetAsync("/metrics", cancellation);
            took.Add(Stopwatch.GetElapsedTime(started).TotalMilliseconds);
            if (text.Length == 0)
                return null;
            bytes = Encoding.UTF8.GetByteCount(text);
        }

        took.Sort();
        return new ScrapeCost(took[took.Count / 2], took[^1], bytes);
    }

    /// <summary>Empty: the server has no such page, or did not answer in time.</summary>
    public async Task<string> GetAsync(string path, CancellationToken cancellation)
    {
        if (httpUrl is null)
            return string.Empty;
        try
        {
            return await _http.GetStringAsync(new Uri(httpUrl + path), cancellation);
        }
        catch (Exception missing) when (missing is HttpRequestException or TaskCanceledException &&
            !cancellation.IsCancellationRequested)
        {
            return string.Empty;
        }
    }

    public void Dispose() => _http.Dispose();
}
