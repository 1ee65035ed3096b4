using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;

namespace Gateway.Rest.Services;

/// <summary>Which HTTP status a ServiceFault goes with. The decision of a service about a request that it understood
/// is 200, as clients made from the OpenAPI documents expect; a client that should not have asked so, or not now, gets
/// an error of HTTP as well.</summary>
internal static class FaultStatus
{
    private const int MillisecondsPerSecond = 1000;

    public static int Of(StatusCode result) => result.CodeBits switch
    {
        StatusCodes.BadDecodingError => HttpStatus.Status400BadRequest,
        StatusCodes.BadEncodingLimitsExceeded or StatusCodes.BadRequestTooLarge =>
            HttpStatus.Status413PayloadTooLarge,
        StatusCodes.BadServiceUnsupported => HttpStatus.Status501NotImplemented,
        StatusCodes.BadInternalError => HttpStatus.Status500InternalServerError,
        StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy or StatusCodes.BadOutOfMemory or
            StatusCodes.BadTooManySessions or StatusCodes.BadShutdown or StatusCodes.BadServerHalted =>
            HttpStatus.Status503ServiceUnavailable,
        _ => HttpStatus.Status200OK,
    };

    /// <summary>From what the ServiceFault says itself, or a second.</summary>
    public static long RetryAfterSecondsOf(in ResponseHeader header)
    {
        if (header.AdditionalHeader.Body is AdditionalParametersType { Parameters: { } parameters })
        {
            foreach (var parameter in parameters)
            {
                if (parameter.Key.Name == Decision.HintName && parameter.Value is { Type: BuiltInType.Int64 } hint)
                    return Math.Max(1, hint.AsInt64() / MillisecondsPerSecond);
            }
        }

        return 1;
    }
}
