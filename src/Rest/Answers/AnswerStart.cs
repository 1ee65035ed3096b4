using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Answers;

/// <summary>Takes back an answer that has not left.</summary>
internal static class AnswerStart
{
    /// <summary>What each answer tells browsers stays.</summary>
    public static void Over(HttpResponse response)
    {
        var headers = response.Headers;
        var (sniffing, transport) = (headers.XContentTypeOptions, headers.StrictTransportSecurity);
        response.Clear();
        (headers.XContentTypeOptions, headers.StrictTransportSecurity) = (sniffing, transport);
    }
}
