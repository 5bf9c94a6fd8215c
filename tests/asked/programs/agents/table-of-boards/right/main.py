"""Solve the game of taking stones with a table of boards that were seen."""
import board as game


class Solver:
    def __init__(self):
        self.table = {}
        self.visited = 0

    def wins(self, board):
        key = board.tobytes()
        if key not in self.table:
            self.visited += 1
            self.table[key] = any(not self.wins(following) for following in game.moves(board))
        return self.table[key]


def main():
    solver = Solver()
    for size in range(1, 7):
        board = game.initial(size)
        print(size, "first player wins" if solver.wins(board) else "second player wins")
    print("boards", solver.visited)


if __name__ == "__main__":
    main()
