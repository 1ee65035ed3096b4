namespace Gateway.Host.Configuration;

/// <summary>Reads <c>Otlp:*</c>.</summary>
internal static class OtlpReader
{
    private const string EndpointKey = "Otlp:Endpoint";
    private const string ProtocolKey = "Otlp:Protocol";
    private const string RatioKey = "Otlp:SampleRatio";

    public static OtlpOptions Read(SettingsReader settings) => new()
    {
        Endpoint = Endpoint(settings),
        IsGrpc = Protocol(settings) == "grpc",
        SampleRatio = Ratio(settings),
    };

    private static Uri? Endpoint(SettingsReader settings)
    {
        var text = settings.Text(EndpointKey);
        if (text.Length == 0)
            return null;
        if (Uri.TryCreate(text, UriKind.Absolute, out var uri) && uri.Scheme is "http" or "https")
        {
            if (uri.UserInfo.Length > 0)
                settings.Error(EndpointKey, "has a user in it, which logs would show: use OTEL_EXPORTER_OTLP_HEADERS");
            return uri;
        }

        settings.Error(EndpointKey, $"'{text}' is no URL of a collector: write http://host:4317 or https://host:4318");
        return null;
    }

    private static string Protocol(SettingsReader settings)
    {
        var text = settings.Text(ProtocolKey, "grpc");
        if (text is not ("grpc" or "http/protobuf"))
            settings.Error(ProtocolKey, $"'{text}' is neither grpc nor http/protobuf");
        return text;
    }

    private static double Ratio(SettingsReader settings)
    {
        var ratio = settings.Real(RatioKey, OtlpOptions.DefaultSampleRatio);
        if (ratio is >= 0 and <= 1)
            return ratio;
        settings.Error(RatioKey, $"{settings.Text(RatioKey)} is not between 0 and 1");
        return OtlpOptions.DefaultSampleRatio;
    }
}
