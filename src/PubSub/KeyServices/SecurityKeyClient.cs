using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.KeyServices;

/// <summary>
/// Over the gateway's own client: a session for each call, with SignAndEncrypt whatever the service offers besides
/// (R45): keys in clear would be everybody's. Threads: any. Source: Part 14 §8.3.2.
/// </summary>
internal sealed class SecurityKeyClient(UaClient client) : ISecurityKeyClient
{
    private const uint GetSecurityKeys = 15215;

    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(20);

    public async Task<SecurityKeysAnswer> GetAsync(
        KeyServiceOptions service, string securityGroup, uint count, CancellationToken cancellation)
    {
        using var limit = new CancellationTokenSource(Deadline, client.Options.TimeProvider);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, cancellation);
        try
        {
            var session = await ConnectAsync(service, end.Token).ConfigureAwait(false);
            await using (session.ConfigureAwait(false))
                return await CallAsync(session, securityGroup, count, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException error) when (!cancellation.IsCancellationRequested)
        {
            throw new KeyServiceException(KeyServiceProblem.Unreachable, "no answer in time", error);
        }
    }

    private async Task<ClientSession> ConnectAsync(KeyServiceOptions service, CancellationToken cancellation)
    {
        try
        {
            var session = await client.ConnectAsync(
                new ConnectSettings
                {
                    EndpointUrl = service.EndpointUrl,
                    SecurityMode = MessageSecurityMode.SignAndEncrypt,
                    Identity = service.User.Length > 0
                        ? ClientIdentity.UserName(service.User, service.Password)
                        : ClientIdentity.Anonymous,
                    SessionName = "gateway keys",
                },
                cancellation).ConfigureAwait(false);
            if (session.Endpoint.SecurityMode == MessageSecurityMode.SignAndEncrypt)
                return session;
            session.Abort();
            throw new KeyServiceException(KeyServiceProblem.Untrusted, "it does not encrypt");
        }
        catch (ServiceException error)
        {
            throw new KeyServiceException(
                IsReached(error) ? KeyServiceProblem.Untrusted : KeyServiceProblem.Unreachable, error.Message, error);
        }
    }

    private static bool IsReached(ServiceException error) => error.Fault != ConnectFault.None ||
        error.Status.CodeBits is not (StatusCodes.BadTimeout or StatusCodes.BadRequestTimeout or
            StatusCodes.BadConnectionRejected or StatusCodes.BadConnectionClosed or StatusCodes.BadNotConnected or
            StatusCodes.BadCommunicationError or StatusCodes.BadTcpInternalError or
            StatusCodes.BadTcpEndpointUrlInvalid or StatusCodes.BadServerNotConnected);

    private static async Task<SecurityKeysAnswer> CallAsync(
        ClientSession session, string securityGroup, uint count, CancellationToken cancellation)
    {
        CallMethodResult? result;
        try
        {
            var response = await session.InvokeAsync<CallRequest, CallResponse>(
                new CallRequest
                {
                    MethodsToCall =
                    [
                        new CallMethodRequest
                        {
                            ObjectId = new NodeId(StandardIds.Objects.PublishSubscribe),
                            MethodId = new NodeId(GetSecurityKeys),
                            // A StartingTokenId of 0 asks for the current key and those after it.
                            InputArguments = [new Variant(securityGroup), new Variant(0u), new Variant(count)],
                        },
                    ],
                },
                cancellation).ConfigureAwait(false);
            result = response.Results is [var one] ? one : null;
        }
        catch (ServiceException error)
        {
            throw new KeyServiceException(
                error.IsConnectionLost ? KeyServiceProblem.Unreachable : ProblemOf(error.Status), error.Message, error);
        }

        if (result is null)
            throw new KeyServiceException(KeyServiceProblem.WrongAnswer, "its answer has no result");
        return result.StatusCode.IsBad
            ? throw new KeyServiceException(ProblemOf(result.StatusCode), result.StatusCode.ToString())
            : SecurityKeysAnswer.Of(result.OutputArguments ?? []);
    }

    private static KeyServiceProblem ProblemOf(StatusCode status) => status.CodeBits switch
    {
        StatusCodes.BadUserAccessDenied or StatusCodes.BadSecurityModeInsufficient or
            StatusCodes.BadIdentityTokenRejected or StatusCodes.BadNotExecutable => KeyServiceProblem.Denied,
        StatusCodes.BadTimeout => KeyServiceProblem.Unreachable,
        StatusCodes.BadNotFound or StatusCodes.BadNodeIdUnknown or StatusCodes.BadMethodInvalid or
            StatusCodes.BadNotImplemented or StatusCodes.BadNotSupported => KeyServiceProblem.NotFound,
        _ => KeyServiceProblem.WrongAnswer,
    };
}
