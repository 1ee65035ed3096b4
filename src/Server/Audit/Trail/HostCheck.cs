using Gateway.Transport.Certificates;

namespace Gateway.Server.Audit.Trail;

/// <summary>Whether the host of an endpoint URL is in the gateway's certificate. Remembers the last answer: clients of
/// one plant use one URL. Thread-safe.</summary>
internal sealed class HostCheck
{
    private Answer? _last;

    public bool IsKnown(string url, ApplicationCertificate own)
    {
        var last = Volatile.Read(ref _last);
        if (last is null || !ReferenceEquals(last.Own, own) || last.Url != url)
        {
            last = new Answer(url, own, own.HasHost(HostOf(url)));
            Volatile.Write(ref _last, last);
        }

        return last.IsKnown;
    }

    /// <summary>Between <c>//</c> and the port or the path; an IPv6 address without its brackets.</summary>
    internal static ReadOnlySpan<char> HostOf(string url)
    {
        var start = url.IndexOf("//", StringComparison.Ordinal);
        var host = start < 0 ? url.AsSpan() : url.AsSpan(start + 2);
        if (host.StartsWith("["))
            return host.IndexOf(']') is var close and > 0 ? host[1..close] : host;
        return host.IndexOfAny(':', '/') is var end and >= 0 ? host[..end] : host;
    }

    private sealed record Answer(string Url, ApplicationCertificate Own, bool IsKnown);
}
