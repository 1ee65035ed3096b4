using System.Globalization;
using System.Net;
using System.Text;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Host.Configuration;

/// <summary>Reads <c>OpcUa:*</c>.</summary>
internal static class OpcUaReader
{
    public static OpcUaOptions Read(SettingsReader settings)
    {
        var endPoint = ReadEndPoint(settings);
        return new OpcUaOptions
        {
            EndPoint = endPoint,
            EndpointUrls = EndpointUrls(settings),
            Security = new SecurityOffer { Policies = Policies(settings) },
            ApplicationUri = ApplicationUri(settings, endPoint),
            IsApplicationUriGiven = settings.IsGiven("OpcUa:ApplicationUri"),
            ApplicationName = settings.Named("OpcUa:ApplicationName", "OPC UA Gateway"),
            HostNames = HostNames(settings),
        };
    }

    public static IPEndPoint ReadEndPoint(SettingsReader settings) =>
        EndPointReader.Read(settings, "OpcUa", TransportProfiles.UaTcp.DefaultPort, EndPointReader.AnyAddress);

    private static string[] EndpointUrls(SettingsReader settings)
    {
        var urls = settings.List("OpcUa:EndpointUrls");
        foreach (var url in urls.Where(url => !TransportProfiles.TryParse(url, out _, out _)))
            settings.Error("OpcUa:EndpointUrls", $"'{url}' is no {TransportProfiles.UrlForms} address");
        return urls;
    }

    private static SecurityPolicy[] Policies(SettingsReader settings)
    {
        const string key = "OpcUa:SecurityPolicies";
        var policies = new List<SecurityPolicy>();
        var names = settings.NonEmptyList(key);
        if (names.Length == 0)
            policies.AddRange(SecurityPolicies.Secured);
        foreach (var name in names)
        {
            if (!SecurityPolicies.TryGetByName(name, out var policy) && !SecurityPolicies.TryGet(name, out policy))
                settings.Error(key, $"'{name}' is not offered; known are {string.Join(", ", SecurityPolicies.All)}");
            else if (!policies.Contains(policy))
                policies.Add(policy);
        }
        if (settings.IsDemo && !policies.Contains(SecurityPolicies.None))
            policies.Add(SecurityPolicies.None);
        return [.. policies];
    }

    /// <summary>The default differs between the gateways of a host, by port and address, and is the same at every
    /// start. The certificate of an earlier start keeps its URI.</summary>
    private static string ApplicationUri(SettingsReader settings, IPEndPoint endPoint)
    {
        var byDefault = new StringBuilder($"urn:{Dns.GetHostName().ToLowerInvariant()}:opcua-gateway");
        if (!endPoint.Address.Equals(EndPointReader.AnyAddress) && !IPAddress.IsLoopback(endPoint.Address))
        {
            // Without the scope, and with no colon of its own.
            var address = new IPAddress(endPoint.Address.GetAddressBytes()).ToString();
            byDefault.Append(':').Append(address.Replace(':', '-'));
        }

        if (endPoint.Port != TransportProfiles.UaTcp.DefaultPort)
            byDefault.Append(':').Append(endPoint.Port.ToString(CultureInfo.InvariantCulture));
        var uri = settings.Named("OpcUa:ApplicationUri", byDefault.ToString());
        if (!Uri.TryCreate(uri, UriKind.Absolute, out _))
            settings.Error("OpcUa:ApplicationUri", $"'{uri}' is no URI");
        return uri;
    }

    private static string[] HostNames(SettingsReader settings)
    {
        var names = settings.List("OpcUa:HostNames");
        foreach (var name in names.Where(name => Uri.CheckHostName(name) == UriHostNameType.Unknown))
            settings.Error("OpcUa:HostNames", $"'{name}' is no host name");
        return names;
    }
}
