using Gateway.Codec.Types;

namespace Gateway.Server.Tests.Access.Matrix;

/// <summary>
/// What the standard and docs/access.md say, as data: kind, users, modes, then what comes of seeing the node, reading
/// and writing its Value, calling its method and reading its RolePermissions. The first row that fits counts.
/// G Good, U as if it were not there, D Bad_UserAccessDenied, S Bad_SecurityModeInsufficient, X no such attribute.
/// </summary>
internal static class RightsTable
{
    private const string Rows =
        """
        open         anonymous,observer,admin  *          G G D D X
        open         *                         *          G G G G X
        hidden       admin                     *          G G G G G
        hidden       *                         *          U U U U U
        readonly     operator                  *          G G D D D
        readonly     engineer                  *          G G G G G
        readonly     *                         *          U U U U U
        signing      anonymous,observer,admin  None       G S D D X
        signing      anonymous,observer,admin  *          G G D D X
        signing      *                         None       G S S S X
        signing      *                         *          G G G G X
        encryption   anonymous,observer,admin  None,Sign  G S D D X
        encryption   anonymous,observer,admin  *          G G D D X
        encryption   *                         None,Sign  G S S S X
        encryption   *                         *          G G G G X
        both         anonymous,observer,admin  None,Sign  G S D D X
        both         anonymous,observer,admin  *          G G D D X
        both         *                         None,Sign  G S S S X
        both         *                         *          G G G G X
        session      anonymous,observer,admin  *          G G D D X
        session      *                         *          G G G G X
        browse       *                         None,Sign  U U U U U
        browse       anonymous,observer,admin  *          G G D D X
        browse       *                         *          G G G G X
        browsesign   *                         None       U U U U U
        browsesign   anonymous,observer,admin  *          G G D D X
        browsesign   *                         *          G G G G X
        adminsecret  admin                     None,Sign  G S S S S
        adminsecret  admin                     *          G G G G G
        adminsecret  *                         *          U U U U U
        everyone     anonymous                 None       G D D D D
        everyone     anonymous                 *          G D D G D
        everyone     *                         None       G G D D D
        everyone     *                         *          G G D G D
        foreign      *                         *          U U U U U
        nobody       *                         *          U U U U U
        empty        anonymous,observer,admin  *          G G D D D
        empty        operator                  *          G G G G D
        empty        engineer                  *          G G G G G
        objectdenies anonymous,observer,admin  *          G G D D X
        objectdenies *                         *          G G G D X
        methoddenies anonymous,observer,admin  *          G G D D X
        methoddenies *                         *          G G G D X
        bymodel      operator                  None       G S D D X
        bymodel      operator                  *          G G D D X
        bymodel      engineer                  None       G S S D X
        bymodel      engineer                  *          G G G D X
        bymodel      *                         *          U U U U U
        bymetadata   operator                  None,Sign  G S D D X
        bymetadata   operator                  *          G G D D X
        bymetadata   engineer                  None,Sign  G S S S X
        bymetadata   engineer                  *          G G G G X
        bymetadata   *                         *          U U U U U
        overridden   *                         *          G G D G D
        """;

    private static readonly string[][] Cells =
    [
        .. Rows.Split('\n').Select(
            row => row.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)),
    ];

    /// <param name="user">anonymous (who is an Observer), observer, operator, engineer or admin.</param>
    /// <param name="mode">None, Sign or SignAndEncrypt.</param>
    public static Expected Of(string kind, string user, string mode)
    {
        var row = Cells.First(cells => cells[0] == kind && Fits(cells[1], user) && Fits(cells[2], mode));
        return new Expected(row[3][0], row[4][0], row[5][0], row[6][0], row[7][0]);
    }

    public static StatusCode ToStatus(char letter, uint unknown = StatusCodes.BadNodeIdUnknown) => letter switch
    {
        'G' => StatusCode.Good,
        'D' => StatusCodes.BadUserAccessDenied,
        'S' => StatusCodes.BadSecurityModeInsufficient,
        'X' => StatusCodes.BadAttributeIdInvalid,
        _ => unknown,
    };

    /// <summary>Of a monitored item: one that may not be read is made, and says so by Publish (Part 4 §5.13.2.1).
    /// </summary>
    public static StatusCode ToItemStatus(char letter) => letter == 'D' ? StatusCode.Good : ToStatus(letter);

    private static bool Fits(string cell, string value) => cell == "*" || cell.Split(',').Contains(value);

    internal readonly record struct Expected(char See, char Read, char Write, char Call, char Permissions)
    {
        public bool IsSeen => See == 'G';
    }
}
