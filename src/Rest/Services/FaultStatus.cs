using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using HttpStatus = Microsoft.AspNetCore.Http.StatusCodes;

namespace Gateway.Rest.Services;

/// <summary>The HTTP status of a ServiceFault. An answer of a service is 200 whatever it says, because the clients made
/// from the OpenAPI documents read no other (Part 4 §5.3). A request that no service has seen gets an error of HTTP as
/// well.</summary>
internal static class FaultStatus
{
    private const int MillisecondsPerSecond = 1000;

    /// <summary>Of a request that no service has seen.</summary>
    public static int Of(StatusCode result) => result.CodeBits switch
    {
        StatusCodes.BadDecodingError or StatusCodes.BadDataTypeIdUnknown or StatusCodes.BadSecurityPolicyRejected =>
            HttpStatus.Status400BadRequest,
        StatusCodes.BadEncodingLimitsExceeded or StatusCodes.BadRequestTooLarge =>
            HttpStatus.Status413PayloadTooLarge,
        StatusCodes.BadInternalError => HttpStatus.Status500InternalServerError,
        StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy or StatusCodes.BadOutOfMemory or
            StatusCodes.BadShutdown or StatusCodes.BadServerHalted => HttpStatus.Status503ServiceUnavailable,
        _ => HttpStatus.Status200OK,
    };

    /// <summary>The hint of the ServiceFault itself; a second where the gateway is too busy and has none; else null.
    /// </summary>
    public static long? RetryAfterSecondsOf(in ResponseHeader header)
    {
        if (header.AdditionalHeader.Body is AdditionalParametersType { Parameters: { } parameters })
        {
            foreach (var parameter in parameters)
            {
                if (parameter.Key.Name == Decision.HintName && parameter.Value is { Type: BuiltInType.Int64 } hint)
                    return Math.Max(1, hint.AsInt64() / MillisecondsPerSecond);
            }
        }

        return Of(header.ServiceResult) == HttpStatus.Status503ServiceUnavailable ? 1 : null;
    }
}
