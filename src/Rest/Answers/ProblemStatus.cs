using Gateway.Codec.Types;

namespace Gateway.Rest.Answers;

/// <summary>Which HTTP status a request gets that an operation has refused as a whole.</summary>
internal static class ProblemStatus
{
    public static (int Http, string Title) Of(StatusCode status) => status.CodeBits switch
    {
        StatusCodes.BadNodeIdUnknown or StatusCodes.BadNoMatch or StatusCodes.BadMethodInvalid =>
            (404, "There is no such node"),
        StatusCodes.BadNotExecutable => (409, "The method cannot be called now"),
        StatusCodes.BadNotImplemented => (501, "Nobody serves this"),
        StatusCodes.BadUserAccessDenied => (403, "This user may not do that"),
        StatusCodes.BadSecurityModeInsufficient => (403, "This needs a better protected connection"),
        StatusCodes.BadTooManySubscriptions or StatusCodes.BadTooManyMonitoredItems =>
            (429, "There are too many streams or nodes in them"),
        StatusCodes.BadShutdown or StatusCodes.BadServerHalted => (503, "The gateway stops"),
        StatusCodes.BadOutOfMemory or StatusCodes.BadResourceUnavailable or StatusCodes.BadTcpServerTooBusy =>
            (503, "The gateway is too busy"),
        StatusCodes.BadTimeout => (504, "A source did not answer in time"),
        StatusCodes.BadNoCommunication => (502, "A source cannot be reached"),
        StatusCodes.BadRequestTimeout => (408, "The body did not come in time"),
        StatusCodes.BadRequestTooLarge or StatusCodes.BadEncodingLimitsExceeded =>
            (413, "The body is too large or too deep"),
        StatusCodes.BadDataEncodingUnsupported => (415, "The body has to be JSON"),
        StatusCodes.BadTooManyMatches => (409, "The path leads to several nodes"),
        StatusCodes.BadInternalError or StatusCodes.BadResponseTooLarge =>
            (500, "The answer could not be made"),
        _ => (400, "The request cannot be understood"),
    };
}
