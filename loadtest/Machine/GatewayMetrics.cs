namespace Gateway.Loadtest.Machine;

/// <summary>The started gateway's own figures, <c>/metrics</c> and <c>/api/v1/admission</c>; a server without them
/// gives none.</summary>
internal sealed class GatewayMetrics(string? httpUrl) : IDisposable
{
    private const string Lateness = "gateway_publish_lateness_seconds";

    private readonly HttpClient _http = new() { Timeout = TimeSpan.FromSeconds(5) };

    /// <summary>From a subscription's due time to its sweep.</summary>
    public async Task<ExposedHistogram> PublishLatenessAsync(CancellationToken cancellation) =>
        ExposedHistogram.Parse(await GetAsync("/metrics", cancellation), Lateness);

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
