using Gateway.Admission.Stages;

namespace Gateway.Transport.Hosting;

/// <summary>The label values of <see cref="ChannelCloseReason"/>: <c>snake_case</c>, made once.</summary>
internal static class CloseReasonNames
{
    private static readonly string[] Names = EnumLabels.Of<ChannelCloseReason>();

    public static string Of(ChannelCloseReason reason) => Names[(int)reason];
}
