using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.WebUtilities;

namespace Gateway.Rest.Values;

/// <summary>One parameter of a query. <c>HttpRequest.Query</c> makes a dictionary of all of them for each request.
/// </summary>
internal static class QueryTexts
{
    /// <summary>Its values in their order; the name in any case.</summary>
    public static IReadOnlyList<string> Of(HttpRequest request, string name)
    {
        List<string>? found = null;
        foreach (var one in new QueryStringEnumerable(request.QueryString.Value))
        {
            if (one.DecodeName().Span.Equals(name, StringComparison.OrdinalIgnoreCase))
                (found ??= new(1)).Add(one.DecodeValue().ToString());
        }

        return found ?? (IReadOnlyList<string>)[];
    }
}
