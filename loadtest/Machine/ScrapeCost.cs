namespace Gateway.Loadtest.Machine;

/// <summary>What a scrape of <c>/metrics</c> takes.</summary>
/// <param name="MedianMs">From the request to the end of its answer.</param>
/// <param name="LongestMs">Of all.</param>
/// <param name="Bytes">Of the last answer, uncompressed.</param>
internal sealed record ScrapeCost(double MedianMs, double LongestMs, int Bytes);
