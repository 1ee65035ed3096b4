using System.Text.Json;
using System.Text.Json.Serialization;

namespace Gateway.Loadtest.Observers;

/// <summary>Between the run and its live observer: one line, NaN allowed.</summary>
internal static class LiveJson
{
    public static readonly JsonSerializerOptions Options = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };
}
