using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Answers;

/// <summary>Takes back an answer that has not left.</summary>
internal static class AnswerStart
{
    /// <summary>The headers for browsers stay.</summary>
    public static void Over(HttpResponse response)
    {
        var headers = response.Headers;
        var (sniffing, transport) = (headers.XContentTypeOptions, headers.StrictTransportSecurity);
        response.Clear();
        (headers.XContentTypeOptions, headers.StrictTransportSecurity) = (sniffing, transport);
    }
}
